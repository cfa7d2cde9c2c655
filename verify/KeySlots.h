// Which cache slots a token attends to, straight from the meaning of the launch arguments.
#pragma once

#include "verify/Problem.h"

#include <cstdint>
#include <vector>

namespace mlac::verify {

/// Where a token stands in its request. `request` is -1 where the id is out of range.
struct TokenPlace {
  int request = -1;
  std::int64_t query = -1; ///< its own position; `keyEnd` does not move it
  std::int64_t begin = 0;  ///< first key position the token may see
  std::int64_t end = 0;    ///< one past the last
};

/// The place of `token` for variants with logical positions.
TokenPlace placeOf(const Problem& problem, int token);

/// The slot of logical position `key`, or -1 where it has none.
std::int64_t slotOf(const Problem& problem, const TokenPlace& place, std::int64_t key);

/// A key that a token attends to.
struct AttendedKey {
  std::int64_t slot = 0;
  std::int64_t position = -1; ///< in its request; -1 where it is unknown
};

/// Keys that `token` attends to, in their order, repeated as often as they are named. Rules are not
/// asked.
std::vector<AttendedKey> attendedKeys(const Problem& problem, int token);

/// Slots that `token` attends to, in the order of its keys, repeated as often as they are named.
std::vector<std::int64_t> attendedSlots(const Problem& problem, int token);

/// What `convert` must write for `token`: one slot or -1 a column, columns unmoved. `slotsPerBlock`
/// is the distance between the first slots of neighbouring pages.
std::vector<std::int64_t>
convertedSlots(const Problem& problem, int token, std::int64_t slotsPerBlock);

} // namespace mlac::verify
