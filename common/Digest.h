// Digest: XXH3 128-bit as hex. Tells contents apart; keys are compared in full, so it need not
// resist attack.
#pragma once

#include <string>
#include <string_view>

namespace mlac {

/// 32 lower-case hex digits.
std::string digestHex(std::string_view bytes);

} // namespace mlac
