#include "verify/PackTokens.h"

#include "verify/HalfTypes.h"

#include <vector>

namespace mlac::verify {
namespace {

std::vector<float> loadRow(const PackRows& rows, std::int64_t token, int count) {
  std::vector<float> values(count);
  const std::int64_t first = token * rows.strideElements;
  for (int index = 0; index < count; ++index)
    values[index] = loadElement(rows.type, rows.base + (first + index) * elementBytes(rows.type));
  return values;
}

} // namespace

void packTokens(const RecordCodec& codec,
                const PackInput& input,
                const PackOptions& options,
                const PackCache& cache) {
  for (std::int64_t token = 0; token < std::ssize(input.slots); ++token) {
    const std::int64_t slot = input.slots[token];
    if (slot < 0 || slot >= cache.slots)
      continue;
    std::byte* const at = cache.base + cache.pages.tokenAt(slot);
    std::byte* const tail = cache.base + cache.pages.tailAt(slot, codec.layout().tailBytes);
    for (const FieldKind part : {FieldKind::Latent, FieldKind::Rope})
      if (const int count = codec.count(part); count > 0)
        codec.pack(part,
                   loadRow(part == FieldKind::Latent ? input.latent : input.rope, token, count),
                   options,
                   at,
                   tail);
  }
}

} // namespace mlac::verify
