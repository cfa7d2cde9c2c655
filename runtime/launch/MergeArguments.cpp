#include "runtime/launch/Arguments.h"

#include <algorithm>
#include <array>

namespace mlac {
namespace {

/// Far beyond any GPU's memory; products of extents below it do not overflow.
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 56;

constexpr std::int64_t kMaxParts = 1 << 20;

/// A tensor of all parts: `one` is that of part 0.
struct PartsShape {
  std::int64_t parts = 0;
  std::int64_t partStride = 0;
  TensorShape one;
  ByteRange range; ///< of all parts
};

struct PartParams {
  TensorParams one;
  Param partStride;
};

/// A tensor of the parts and one of the results, which may take the place of part 0.
struct MergedTensor {
  std::string_view partName;
  std::string_view name;
  PartParams partParams;
  TensorParams params;
  const PartTensor& part;
  const Tensor& whole;
  int dims;
  std::int64_t partBytes; ///< of an element
  std::int64_t bytes;     ///< of an element of the result
  std::int64_t alignElements;
};

Error reachError(std::string_view name, const PartsShape& shape) {
  return argumentError(
      name, "has part stride {}, which reaches beyond any memory", shape.partStride);
}

/// Puts a contiguous part stride where it was 0; parts end to end, whichever way each is laid out.
Status resolvePartStride(std::string_view name, PartsShape& shape) {
  if (shape.partStride < 0)
    return argumentError(
        name, "has part stride {}; strides must not be negative", shape.partStride);
  if (shape.partStride == 0)
    shape.partStride =
        std::max(shape.one.tokens * shape.one.tokenStride, shape.one.heads * shape.one.headStride);
  if (shape.parts > 1 && shape.partStride > kMaxExtent / (shape.parts - 1))
    return reachError(name, shape);
  return Unit{};
}

/// Bytes of all parts. InvalidArgument where two rows of them share elements.
Result<ByteRange> rangeOfParts(std::string_view name, const void* data, const PartsShape& shape) {
  struct Axis {
    std::int64_t count;
    std::int64_t stride;
  };

  std::array<Axis, 3> axes = {{{shape.parts, shape.partStride},
                               {shape.one.tokens, shape.one.tokenStride},
                               {shape.one.heads, shape.one.headStride}}};
  std::sort(
      axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.stride < b.stride; });
  // From the axis with the shortest stride out, each step must clear all that lies within.
  std::int64_t extent = shape.one.dims;
  for (const Axis& axis : axes) {
    if (axis.count <= 1)
      continue;
    if (axis.stride < extent)
      return argumentError(
          name,
          "[{}, {}, {}, {}] has part stride {}, token stride {} and head stride "
          "{}: rows overlap; rows of {} elements need strides that keep them apart",
          shape.parts,
          shape.one.tokens,
          shape.one.heads,
          shape.one.dims,
          shape.partStride,
          shape.one.tokenStride,
          shape.one.headStride,
          shape.one.dims);
    extent += (axis.count - 1) * axis.stride;
  }
  return rangeOf(name, data, extent * shape.one.elementBytes);
}

/// Whether the result lies on part 0, element by element.
bool isInPlace(const MergedTensor& tensor, const PartsShape& parts, const TensorShape& whole) {
  const bool sameTokens = whole.tokens == 1 || whole.tokenStride == parts.one.tokenStride;
  const bool sameHeads = whole.heads == 1 || whole.headStride == parts.one.headStride;
  return tensor.whole.data == tensor.part.data && tensor.bytes == tensor.partBytes && sameTokens &&
         sameHeads;
}

class MergeChecker {
public:
  MergeChecker(const Variant& variant, const MergeArgs& args) : variant(variant), args(args) {}

  Result<CheckedLaunch> check() {
    MLAC_CHECK(checkCount("tokens", args.tokens));
    if (args.parts < 1 || args.parts > kMaxParts)
      return argumentError(
          "parts", "is {}; a merge takes 1 to {}, and merges can be merged", args.parts, kMaxParts);
    collected.values.set(Param::tokens, args.tokens);
    collected.values.set(Param::parts, args.parts);
    collected.values.set(Param::f32Parts, std::int64_t{args.f32Parts ? 1 : 0});
    MLAC_CHECK(checkOut());
    MLAC_CHECK(checkLse());
    MLAC_CHECK(checkMaxLogit());
    MLAC_CHECK(checkSinks());
    MLAC_CHECK(checkApart(collected.outputs, collected.inputs));
    return CheckedLaunch{collected.values, args.tokens};
  }

private:
  Status checkOut() {
    const std::int64_t bytes = elementBytes(variant.output);
    return collect({"partOut",
                    "out",
                    {{Param::partOut, Param::partOutTokenStride, Param::partOutHeadStride},
                     Param::partOutPartStride},
                    {Param::out, Param::outTokenStride, Param::outHeadStride},
                    args.partOut,
                    args.out,
                    variant.valueDims(),
                    args.f32Parts ? std::int64_t{sizeof(float)} : bytes,
                    bytes,
                    kOutAlignElements});
  }

  Status checkLse() {
    const MergedTensor tensor = {
        "partLse",
        "lse",
        {{Param::partLse, Param::partLseTokenStride, Param::partLseHeadStride},
         Param::partLsePartStride},
        {Param::lse, Param::lseTokenStride, Param::lseHeadStride},
        args.partLse,
        args.lse,
        1,
        sizeof(float),
        sizeof(float),
        1};
    if (args.lse.data != nullptr)
      return collect(tensor);
    MLAC_TRY(parts, collectParts(tensor));
    collected.inputs.add(parts.range);
    return Unit{};
  }

  Status checkMaxLogit();
  Status checkSinks();
  Result<PartsShape> collectParts(const MergedTensor& tensor);
  Status collect(const MergedTensor& tensor);

  const Variant& variant;
  const MergeArgs& args;
  CollectedArgs collected;
};

Status MergeChecker::checkMaxLogit() {
  const bool given = args.maxLogit.data != nullptr;
  const bool partsGiven = args.partMaxLogit.data != nullptr;
  if (!variant.maxLogit && (given || partsGiven))
    return argumentError(given ? "maxLogit" : "partMaxLogit",
                         "was given, but '{}' has no 'max_logit' output",
                         variant.name);
  if (given != partsGiven)
    return argumentError(given ? "partMaxLogit" : "maxLogit",
                         "is null, but {} was given; give both or neither",
                         given ? "maxLogit" : "partMaxLogit");
  if (!given)
    return Unit{};
  return collect(
      {"partMaxLogit",
       "maxLogit",
       {{Param::partMaxLogit, Param::partMaxLogitTokenStride, Param::partMaxLogitHeadStride},
        Param::partMaxLogitPartStride},
       {Param::maxLogit, Param::maxLogitTokenStride, Param::maxLogitHeadStride},
       args.partMaxLogit,
       args.maxLogit,
       1,
       sizeof(float),
       sizeof(float),
       1});
}

Status MergeChecker::checkSinks() {
  if (args.sinks == nullptr)
    return Unit{};
  MLAC_CHECK(checkPointer("sinks", args.sinks, sizeof(float)));
  MLAC_TRY(range, rangeOf("sinks", args.sinks, variant.heads * std::int64_t{sizeof(float)}));
  collected.inputs.add(range);
  collected.values.set(Param::sinks, args.sinks);
  return Unit{};
}

/// Checks the parts and fills in their parameters.
Result<PartsShape> MergeChecker::collectParts(const MergedTensor& tensor) {
  // Each part is aligned and laid out as an output is: one was its maker.
  MLAC_TRY(
      one,
      checkOutputTensor(
          tensor.partName,
          {const_cast<void*>(tensor.part.data), tensor.part.tokenStride, tensor.part.headStride},
          {.tokens = args.tokens,
           .heads = variant.heads,
           .dims = tensor.dims,
           .elementBytes = tensor.partBytes},
          tensor.alignElements));
  PartsShape shape{args.parts, tensor.part.partStride, one, {}};
  MLAC_CHECK(resolvePartStride(tensor.partName, shape));
  if (shape.parts > 1 && shape.partStride % tensor.alignElements != 0)
    return argumentError(tensor.partName,
                         "has part stride {}; it must be a multiple of {}",
                         shape.partStride,
                         tensor.alignElements);
  MLAC_TRY(range, rangeOfParts(tensor.partName, tensor.part.data, shape));
  setTensor(collected.values, tensor.partParams.one, tensor.part.data, shape.one);
  collected.values.set(tensor.partParams.partStride, shape.partStride);
  shape.range = range;
  return shape;
}

Status MergeChecker::collect(const MergedTensor& tensor) {
  MLAC_TRY(parts, collectParts(tensor));
  MLAC_TRY(whole,
           checkOutputTensor(tensor.name,
                             tensor.whole,
                             {.tokens = args.tokens,
                              .heads = variant.heads,
                              .dims = tensor.dims,
                              .elementBytes = tensor.bytes},
                             tensor.alignElements));
  setTensor(collected.values, tensor.params, tensor.whole.data, whole);
  // A result on part 0 is as good as written by who reads it. Nothing else may lie on any part.
  if (isInPlace(tensor, parts, whole)) {
    collected.outputs.add(parts.range);
    return Unit{};
  }
  collected.inputs.add(parts.range);
  MLAC_TRY(range, rangeOf(tensor.name, tensor.whole.data, whole));
  collected.outputs.add(range);
  return Unit{};
}

} // namespace

Result<CheckedLaunch> checkMerge(const Variant& variant, const MergeArgs& args) {
  if (variant.lse == LseMode::None)
    return Error{ErrorCode::Unsupported,
                 "'" + variant.name +
                     "' has no LSE to merge by; write 'lse natural' or 'lse base2' in its output"};
  return MergeChecker(variant, args).check();
}

} // namespace mlac
