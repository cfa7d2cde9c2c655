// Names: which identifiers an attention may carry into generated C++.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mlac {

/// Why `name` cannot name an attention, as the end of a sentence about it; nothing when it can. The
/// name is one Word token. Names reach generated C++ as written, so what C++ and mlac keep for
/// themselves is refused.
std::optional<std::string> whyNameIsRefused(std::string_view name);

} // namespace mlac
