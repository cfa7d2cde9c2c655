#include "common/Parallel.h"
#include "verify/HalfTypes.h"
#include "verify/KeySlots.h"
#include "verify/Outputs.h"
#include "verify/ProblemParts.h"
#include "verify/Random.h"
#include "verify/RecordCodec.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac::verify {

namespace {

/// Bytes that a strided [T][H][dims] array spans.
std::int64_t spanBytes(const Problem& problem, const QueryView& view, int dims) {
  if (problem.tokens == 0)
    return 0;
  const std::int64_t last = (problem.tokens - 1) * view.tokenStride +
                            (problem.variant.heads - 1) * view.headStride + dims;
  return last * elementBytes(problem.variant.query);
}

void layOutQuery(Problem& problem) {
  const Variant& variant = problem.variant;
  const std::int64_t gap = problem.options.padStrides ? 8 : 0;
  QueryView& latent = problem.qLatent;
  QueryView& rope = problem.qRope;
  if (problem.options.splitQuery) {
    latent.tokenStride = variant.latent + gap;
    latent.headStride = problem.tokens * latent.tokenStride + gap;
    rope.buffer = Input::QueryRope;
    rope.headStride = variant.rope + gap;
    rope.tokenStride = variant.heads * rope.headStride + gap;
  } else {
    latent.headStride = variant.qkDims() + gap;
    latent.tokenStride = variant.heads * latent.headStride + gap;
    rope = latent;
    rope.offsetBytes = variant.latent * std::int64_t{elementBytes(variant.query)};
  }
  for (const auto& [view, dims] : {std::pair(latent, variant.latent), {rope, variant.rope}}) {
    std::vector<std::byte>& buffer = problem.inputs[static_cast<int>(view.buffer)];
    const std::int64_t end = view.offsetBytes + spanBytes(problem, view, dims);
    if (problem.tokens > 0 && dims > 0 && end > static_cast<std::int64_t>(buffer.size()))
      buffer.resize(end, std::byte{0xff});
  }
}

/// Sets the cache's row numbers for every slot in use and returns how many there are.
std::int64_t numberRows(Problem& problem) {
  CacheRows& cache = problem.cache;
  const std::int64_t page = problem.variant.page;
  const std::int64_t first = cache.firstPage * page;
  cache.rowOfSlot.assign(cache.heldPages * page, -1);
  for (int t = 0; t < problem.tokens; ++t)
    for (const std::int64_t slot : attendedSlots(problem, t))
      cache.rowOfSlot[slot - first] = 0;
  std::int32_t rows = 0;
  for (std::int32_t& row : cache.rowOfSlot)
    if (row == 0)
      row = rows++;
  return rows;
}

/// Values of one part; of scaled parts some groups are zero, and some tiny.
std::vector<float>
drawPart(const RecordCodec& codec, FieldKind part, float factor, Random& random) {
  const RecordField* const scale = codec.record().findScale(part);
  std::vector<float> values(codec.count(part));
  float groupFactor = factor;
  for (std::size_t d = 0; d < values.size(); ++d) {
    if (scale != nullptr && scale->group > 0 && d % scale->group == 0) {
      constexpr float kTiny = 1.0F / 4096;
      groupFactor = random.oneIn(16) ? 0 : random.oneIn(16) ? factor * kTiny : factor;
    }
    values[d] = random.normal() * groupFactor;
  }
  return values;
}

/// Draws a record's bytes. Padding keeps what it holds.
void drawRow(const Problem& problem, const RecordCodec& codec, Random& random, std::byte* row) {
  const ScaleRule rule = problem.options.powerOfTwoScales ? ScaleRule::PowerOfTwo : ScaleRule::Amax;
  for (const FieldKind part : {FieldKind::Latent, FieldKind::Rope})
    if (codec.count(part) > 0)
      codec.pack(part,
                 drawPart(codec, part, problem.options.keyFactor, random),
                 {.rule = rule, .cacheScale = problem.cacheScale},
                 row,
                 row + codec.layout().tokenBytes);
}

OutputView layOut(const Problem& problem, ElementType type, int dims, bool transposed) {
  const std::int64_t gap = problem.options.padStrides ? 8 : 0;
  OutputView view{.type = type, .dims = dims, .offsetBytes = kGuardBytes};
  if (transposed) {
    view.tokenStride = dims;
    view.headStride = problem.tokens * std::int64_t{dims} + 3;
  } else {
    view.headStride = dims + gap;
    view.tokenStride = problem.variant.heads * view.headStride + gap;
  }
  const std::int64_t end = problem.tokens == 0
                               ? view.offsetBytes
                               : view.byteAt(problem.tokens - 1, problem.variant.heads - 1, dims);
  view.bytes = end + kGuardBytes;
  return view;
}

} // namespace

void drawQuery(Problem& problem) {
  layOutQuery(problem);
  const Variant& variant = problem.variant;
  Random random(problem.options.seed, kStreamQuery);
  for (int t = 0; t < problem.tokens; ++t)
    for (int h = 0; h < variant.heads; ++h)
      for (int d = 0; d < variant.qkDims(); ++d) {
        const QueryView& view = d < variant.latent ? problem.qLatent : problem.qRope;
        const int dim = d < variant.latent ? d : d - variant.latent;
        const std::int64_t element = t * view.tokenStride + h * view.headStride + dim;
        const float value = std::clamp(random.normal(), -1.0F, 1.0F) * problem.options.queryFactor;
        storeElement(variant.query,
                     value,
                     problem.inputs[static_cast<int>(view.buffer)].data() + view.offsetBytes +
                         element * elementBytes(variant.query));
      }
}

Status drawKeys(Problem& problem) {
  CacheRows& cache = problem.cache;
  const std::int64_t rows = numberRows(problem);
  if (rows * problem.variant.recordBytes() > problem.options.maxHostBytes)
    return Error{ErrorCode::InvalidArgument,
                 fmt::format("the tokens attend to {} different keys of {} bytes, more than the "
                             "{} bytes allowed on the host; use fewer requests or less context",
                             rows,
                             problem.variant.recordBytes(),
                             problem.options.maxHostBytes)};
  const RecordCodec codec(problem.variant.record());
  cache.rowBytes = problem.variant.recordBytes();
  cache.rows.assign(rows * cache.rowBytes, kFillByte);
  const std::int64_t first = cache.firstPage * problem.variant.page;
  const auto slots = static_cast<std::int64_t>(cache.rowOfSlot.size());
  parallelFor(slots, 0, [&](std::int64_t local) {
    if (cache.rowOfSlot[local] < 0)
      return;
    // A stream a slot: a key stays the same whichever others are used.
    Random random(problem.options.seed, kStreamKeys + 1000 + first + local);
    drawRow(problem, codec, random, cache.rows.data() + cache.rowOfSlot[local] * cache.rowBytes);
  });
  return Unit{};
}

void layOutOutputs(Problem& problem) {
  const Variant& variant = problem.variant;
  const bool transposed = problem.options.padStrides;
  problem.out = layOut(problem, variant.output, variant.valueDims(), false);
  if (variant.lse != LseMode::None)
    problem.lse = layOut(problem, ElementType::F32, 1, transposed);
  if (variant.maxLogit)
    problem.maxLogit = layOut(problem, ElementType::F32, 1, transposed);
}

} // namespace mlac::verify
