// Record: what a GPU wrote for a probe, as a text file that can be reviewed.
#pragma once

#include "common/Result.h"
#include "tests/simt/wrappers/Probes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace mlac::probes {

/// The seed of every recording.
constexpr std::uint64_t kRecordedSeed = 1;

struct Record {
  std::string probe;
  std::uint64_t seed = 0;
  std::string input; ///< digest of the words the GPU read
  std::string gpu;   ///< its name
  Words words;
};

/// 32 hex digits.
std::string digestOf(const Words& words);

/// One line that says what it is, then the words in hex, eight a line.
std::string textOf(const Record& record);

/// CorruptData names the line that is no record.
Result<Record> recordFrom(std::string_view text);

} // namespace mlac::probes
