// FamilyJson: a KernelFamily as JSON text and back, without the sources, which lie in files of
// their own.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"

#include <string>
#include <string_view>

namespace mlac {

/// Indented, keys sorted: the same family gives the same text.
std::string familyToJson(const KernelFamily& family);

/// The family with empty sources. InvalidInput says what is wrong and where; `where` names the
/// file.
Result<KernelFamily> familyFromJson(std::string_view text, std::string_view where);

} // namespace mlac
