// Ranges: which device bytes an argument covers, and whether two that must be apart meet.
#pragma once

#include "common/Expression.h"
#include "common/Result.h"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <string_view>
#include <utility>

namespace mlac {

/// InvalidArgument: "launch argument 'NAME' ...".
template <typename... Args>
Error argumentError(std::string_view name, fmt::format_string<Args...> text, Args&&... args) {
  return {
      ErrorCode::InvalidArgument,
      fmt::format("launch argument '{}' {}", name, fmt::format(text, std::forward<Args>(args)...))};
}

/// A tensor [tokens, heads, dims] as a launch addresses it. Strides count elements; 0 asks for
/// contiguous.
struct TensorShape {
  std::int64_t tokens = 0;
  std::int64_t heads = 0;
  std::int64_t dims = 0;
  std::int64_t elementBytes = 0;
  std::int64_t tokenStride = 0;
  std::int64_t headStride = 0;
};

/// Bytes [begin, end) of an argument.
struct ByteRange {
  std::string_view name;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

/// The ranges of one launch. Holds them itself, so that checking a launch touches no heap.
class RangeList {
public:
  void add(const ByteRange& range) {
    assert(count < ranges.size());
    ranges[count++] = range;
  }

  const ByteRange* begin() const { return ranges.data(); }

  const ByteRange* end() const { return ranges.data() + count; }

private:
  // The tensors and tables, 16 at most, a spec's parameters, and sinks.
  std::array<ByteRange, 16 + kMaxRuleParams + 1> ranges;
  std::size_t count = 0;
};

/// Puts contiguous strides where they were 0. InvalidArgument for negative strides, and for those
/// that make two rows share elements.
Status resolveStrides(std::string_view name, TensorShape& shape);

/// Bytes from the first element to the end of the last. InvalidArgument where that passes the
/// address space.
Result<ByteRange> rangeOf(std::string_view name, const void* data, const TensorShape& shape);

/// As above for `count` plain bytes, negative counts and overflow refused.
Result<ByteRange> rangeOf(std::string_view name, const void* data, std::int64_t count);

/// InvalidArgument where an output shares bytes with an input or with another output.
Status checkApart(const RangeList& outputs, const RangeList& inputs);

/// InvalidArgument unless `data` is a multiple of `alignBytes`, and not null.
Status checkPointer(std::string_view name, const void* data, std::int64_t alignBytes);

} // namespace mlac
