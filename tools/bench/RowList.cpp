#include "tools/bench/RowList.h"

#include "verify/KeySlots.h"

#include <fmt/format.h>

#include <cstring>
#include <limits>

namespace mlac {
namespace {

Status checkGatherable(const verify::Problem& problem) {
  constexpr std::int64_t kMostPieces = std::numeric_limits<std::uint32_t>::max();
  const int recordBytes = problem.variant.recordBytes();
  if (recordBytes % kPieceBytes == 0 && problem.cacheBytes() / kPieceBytes <= kMostPieces)
    return Unit{};
  return Error{ErrorCode::Unsupported,
               fmt::format("the floor is measured for records of a multiple of {} bytes in a cache "
                           "of at most {} GiB; these are records of {} bytes in {} bytes",
                           kPieceBytes,
                           kMostPieces * kPieceBytes >> 30,
                           recordBytes,
                           problem.cacheBytes())};
}

std::uint32_t xorOfRow(const verify::Problem& problem, std::int64_t slot) {
  const std::byte* row = problem.keyRow(slot);
  std::uint32_t mixed = 0;
  for (std::int64_t at = 0; at + 4 <= problem.cache.rowBytes; at += 4) {
    std::uint32_t word = 0;
    std::memcpy(&word, row + at, sizeof word);
    mixed ^= word;
  }
  return mixed;
}

} // namespace

Result<RowList> rowsOf(const verify::Problem& problem) {
  MLAC_CHECK(checkGatherable(problem));
  const verify::CacheRows& cache = problem.cache;
  const std::int64_t firstSlot = cache.firstPage * problem.variant.page;
  std::vector<bool> taken(cache.rowOfSlot.size());
  RowList list;
  for (int token = 0; token < problem.tokens; ++token)
    for (const std::int64_t slot : verify::attendedSlots(problem, token)) {
      const auto local = static_cast<std::size_t>(slot - firstSlot);
      if (taken[local])
        continue;
      taken[local] = true;
      const std::int64_t page = slot / problem.variant.page;
      const std::int64_t startBytes =
          page * cache.pageStrideBytes + slot % problem.variant.page * cache.tokenStrideBytes;
      list.starts.push_back(static_cast<std::uint32_t>(startBytes / kPieceBytes));
      list.contentXor ^= xorOfRow(problem, slot);
    }
  return list;
}

double flopsOf(const verify::Problem& problem) {
  const Variant& variant = problem.variant;
  std::size_t keys = 0;
  for (int token = 0; token < problem.tokens; ++token)
    keys += verify::attendedSlots(problem, token).size();
  return 2.0 * static_cast<double>(keys) * variant.heads * (variant.qkDims() + variant.valueDims());
}

} // namespace mlac
