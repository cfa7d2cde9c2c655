// RecordPicture: how the records of a cache lie in memory, for people and as JSON.
#pragma once

#include "common/Variant.h"
#include "tools/mlac/Console.h"

#include <string>

namespace mlac {

/// A token's fields as a row of boxes, each field's offset and bytes, and a page of them. Ends in a
/// newline.
std::string recordText(const Variant& variant);

/// The same as numbers.
Json recordJson(const Variant& variant);

} // namespace mlac
