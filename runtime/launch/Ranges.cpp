#include "runtime/launch/Ranges.h"

namespace mlac {
namespace {

// Far beyond any GPU's memory, and small enough that sums of three such extents cannot overflow.
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 56;

/// (count - 1) * stride, or -1 where it passes kMaxExtent.
std::int64_t span(std::int64_t count, std::int64_t stride) {
  if (count == 0)
    return 0;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(count - 1, stride, &product) || product > kMaxExtent)
    return -1;
  return product;
}

bool meet(const ByteRange& a, const ByteRange& b) {
  return a.begin < b.end && b.begin < a.end;
}

Error overlapError(const ByteRange& output, const ByteRange& other) {
  return argumentError(
      output.name,
      "covers bytes {:#x} to {:#x} and overlaps '{}' at {:#x} to {:#x}; outputs and "
      "workspace must not share memory with anything else",
      output.begin,
      output.end,
      other.name,
      other.begin,
      other.end);
}

} // namespace

Status resolveStrides(std::string_view name, TensorShape& shape) {
  if (shape.headStride < 0 || shape.tokenStride < 0)
    return argumentError(name,
                         "has token stride {} and head stride {}; strides must not be negative",
                         shape.tokenStride,
                         shape.headStride);
  if (shape.headStride == 0)
    shape.headStride = shape.dims;
  const std::int64_t headSpan = span(shape.heads, shape.headStride);
  if (shape.tokenStride == 0 && headSpan >= 0)
    shape.tokenStride = headSpan + shape.headStride;
  const std::int64_t tokenSpan = span(shape.tokens, shape.tokenStride);
  if (headSpan < 0 || tokenSpan < 0)
    return argumentError(name,
                         "has token stride {} and head stride {}, which reach beyond any memory",
                         shape.tokenStride,
                         shape.headStride);
  const bool manyTokens = shape.tokens > 1;
  const bool manyHeads = shape.heads > 1;
  const bool headsApart = !manyHeads || shape.headStride >= shape.dims;
  const bool tokensApart = !manyTokens || shape.tokenStride >= shape.dims;
  const bool nested = !manyTokens || !manyHeads || shape.tokenStride >= headSpan + shape.dims ||
                      shape.headStride >= tokenSpan + shape.dims;
  if (headsApart && tokensApart && nested)
    return Unit{};
  return argumentError(name,
                       "[{}, {}, {}] has token stride {} and head stride {}: rows overlap; rows of "
                       "{} elements need strides that keep them apart",
                       shape.tokens,
                       shape.heads,
                       shape.dims,
                       shape.tokenStride,
                       shape.headStride,
                       shape.dims);
}

Result<ByteRange> rangeOf(std::string_view name, const void* data, const TensorShape& shape) {
  const std::int64_t elements =
      span(shape.tokens, shape.tokenStride) + span(shape.heads, shape.headStride) + shape.dims;
  return rangeOf(name, data, elements * shape.elementBytes);
}

Result<ByteRange> rangeOf(std::string_view name, const void* data, std::int64_t count) {
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  if (count < 0 || static_cast<std::uintptr_t>(count) > UINTPTR_MAX - begin)
    return argumentError(
        name, "at {:#x} would reach {} bytes, beyond the address space", begin, count);
  return ByteRange{name, begin, begin + static_cast<std::uintptr_t>(count)};
}

Status checkApart(const RangeList& outputs, const RangeList& inputs) {
  for (const ByteRange* output = outputs.begin(); output != outputs.end(); ++output) {
    for (const ByteRange& input : inputs)
      if (meet(*output, input))
        return overlapError(*output, input);
    for (const ByteRange* other = output + 1; other != outputs.end(); ++other)
      if (meet(*output, *other))
        return overlapError(*output, *other);
  }
  return Unit{};
}

Status checkPointer(std::string_view name, const void* data, std::int64_t alignBytes) {
  if (data == nullptr)
    return argumentError(name, "is null, and this variant needs it");
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  if (address % static_cast<std::uintptr_t>(alignBytes) != 0)
    return argumentError(
        name, "is {:#x}, which is not a multiple of {} bytes", address, alignBytes);
  return Unit{};
}

} // namespace mlac
