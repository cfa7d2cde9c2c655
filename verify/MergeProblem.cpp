#include "verify/MergeProblem.h"

#include "verify/HalfTypes.h"
#include "verify/ProblemParts.h"
#include "verify/Random.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace mlac::verify {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kAbsurd = 1e30F; // a largest score of no key, which a maximum would take

enum MergeStream : std::uint64_t { kStreamLse, kStreamOut, kStreamMaxLogit, kStreamSinks };

/// Calls `visit(part, token, head)` for every row of every part.
template <typename Visit>
void forRows(const MergeProblem& problem, Visit visit) {
  for (int part = 0; part < problem.options.parts; ++part)
    for (int token = 0; token < problem.results.tokens; ++token)
      for (int head = 0; head < problem.results.variant.heads; ++head)
        visit(part, token, head);
}

PartsTensor layOut(const MergeProblem& problem, ElementType type, int dims, int gap) {
  const MergeOptions& options = problem.options;
  PartsTensor tensor{.type = type, .dims = dims};
  tensor.headStride = dims + gap;
  const std::int64_t heads = problem.results.variant.heads * tensor.headStride + gap;
  if (options.interleaved) {
    tensor.partStride = heads;
    tensor.tokenStride = options.parts * heads + gap;
  } else {
    tensor.tokenStride = heads;
    tensor.partStride = options.tokens * heads + gap;
  }
  if (options.tokens > 0)
    tensor.bytes.resize(
        tensor.byteAt(
            options.parts - 1, options.tokens - 1, problem.results.variant.heads - 1, dims),
        kFillByte);
  return tensor;
}

void layOutAll(MergeProblem& problem) {
  const Variant& variant = problem.results.variant;
  const bool pads = problem.options.padStrides;
  const ElementType type = problem.options.f32Parts ? ElementType::F32 : variant.output;
  problem.out = layOut(problem, type, variant.valueDims(), pads ? 4 : 0);
  problem.lse = layOut(problem, ElementType::F32, 1, pads ? 3 : 0);
  if (variant.maxLogit)
    problem.maxLogit = layOut(problem, ElementType::F32, 1, pads ? 1 : 0);
  layOutOutputs(problem.results);
  if (!pads)
    return;
  // Closer together than there, within the same bytes: 16-bit rows at multiples of 8 bytes only.
  OutputView& out = problem.results.out;
  out.headStride = variant.valueDims() + 4;
  out.tokenStride = variant.heads * out.headStride + 4;
}

/// Whether a row of a part holds a key.
bool hasKeys(const MergeProblem& problem, int part, int token, int head) {
  return !std::isinf(
      loadElement(problem.lse.type, &problem.lse.bytes[problem.lse.byteAt(part, token, head, 0)]));
}

/// Every third row's LSEs are beyond what e^x can hold in f32.
void drawLse(MergeProblem& problem) {
  Random random(problem.options.seed, kStreamLse);
  forRows(problem, [&](int part, int token, int head) {
    const int row = token * problem.results.variant.heads + head;
    float lse = random.normal() * 3 + (row % 3 == 2 ? 200.0F : 0.0F);
    if (problem.options.emptyParts && (row == 0 || random.oneIn(3)))
      lse = random.oneIn(2) ? kInfinity : -kInfinity;
    storeElement(
        problem.lse.type, lse, &problem.lse.bytes[problem.lse.byteAt(part, token, head, 0)]);
  });
}

/// Numbers for rows with keys, and `other` for those without.
void drawTensor(const MergeProblem& problem,
                PartsTensor& tensor,
                std::uint64_t stream,
                float other) {
  Random random(problem.options.seed, stream);
  forRows(problem, [&](int part, int token, int head) {
    const bool isDrawn = hasKeys(problem, part, token, head);
    for (int dim = 0; dim < tensor.dims; ++dim)
      storeElement(tensor.type,
                   isDrawn ? random.normal() : other,
                   &tensor.bytes[tensor.byteAt(part, token, head, dim)]);
  });
}

std::vector<float> drawSinks(const MergeProblem& problem) {
  Random random(problem.options.seed, kStreamSinks);
  std::vector<float> sinks;
  for (int head = 0; head < problem.results.variant.heads; ++head)
    sinks.push_back(head % 4 == 1 ? kInfinity : head % 4 == 3 ? -kInfinity : random.normal() * 3);
  return sinks;
}

/// Copies part 0 of `buffer` to its output; says whether anything else in it changed.
bool takePartZero(const MergeProblem& problem,
                  const PartsTensor& tensor,
                  std::vector<std::byte> buffer,
                  const OutputView& view,
                  std::vector<std::byte>& output) {
  if (!view.present())
    return false;
  const int bytes = tensor.dims * elementBytes(tensor.type);
  for (int token = 0; token < problem.results.tokens; ++token)
    for (int head = 0; head < problem.results.variant.heads; ++head) {
      const std::int64_t at = tensor.byteAt(0, token, head, 0);
      std::copy_n(&buffer[at], bytes, &output[view.byteAt(token, head, 0)]);
      std::copy_n(&tensor.bytes[at], bytes, &buffer[at]);
    }
  return buffer != tensor.bytes;
}

} // namespace

MergeProblem makeMergeProblem(const Variant& variant, const MergeOptions& options) {
  MergeProblem problem;
  problem.options = options;
  problem.results.variant = variant;
  problem.results.tokens = options.tokens;
  problem.results.options.padStrides = options.padStrides;
  layOutAll(problem);
  drawLse(problem);
  drawTensor(problem, problem.out, kStreamOut, kNan);
  if (variant.maxLogit)
    drawTensor(problem, problem.maxLogit, kStreamMaxLogit, kAbsurd);
  if (options.sinks)
    problem.sinks = drawSinks(problem);
  return problem;
}

std::vector<Partial> partialsOf(const MergeProblem& problem) {
  std::vector<Partial> parts(static_cast<std::size_t>(problem.options.parts));
  const auto append =
      [](const PartsTensor& tensor, std::vector<double>& to, int part, int token, int head) {
        for (int dim = 0; dim < tensor.dims && !tensor.bytes.empty(); ++dim)
          to.push_back(
              loadElement(tensor.type, &tensor.bytes[tensor.byteAt(part, token, head, dim)]));
      };
  forRows(problem, [&](int part, int token, int head) {
    append(problem.out, parts[part].out, part, token, head);
    append(problem.lse, parts[part].lse, part, token, head);
    append(problem.maxLogit, parts[part].maxLogit, part, token, head);
  });
  return parts;
}

Reference referenceMerge(const MergeProblem& problem) {
  const Variant& variant = problem.results.variant;
  Partial whole = mergePartials(partialsOf(problem),
                                {.dims = variant.valueDims(),
                                 .base = variant.lse,
                                 .emptyPositive = variant.emptyLsePositive,
                                 .sinks = problem.sinks});
  Reference reference;
  reference.heads = variant.heads;
  reference.valueDims = variant.valueDims();
  reference.tokens.resize(problem.results.tokens);
  std::iota(reference.tokens.begin(), reference.tokens.end(), 0);
  reference.out = std::move(whole.out);
  reference.lse = std::move(whole.lse);
  reference.maxLogit = std::move(whole.maxLogit);
  return reference;
}

Outputs outputsInPlace(const MergeProblem& problem,
                       const std::vector<std::byte>& out,
                       const std::vector<std::byte>& lse,
                       const std::vector<std::byte>& maxLogit) {
  const Problem& results = problem.results;
  Outputs outputs = freshOutputs(results);
  bool changed = takePartZero(problem, problem.out, out, results.out, outputs.out);
  changed |= takePartZero(problem, problem.lse, lse, results.lse, outputs.lse);
  changed |= takePartZero(problem, problem.maxLogit, maxLogit, results.maxLogit, outputs.maxLogit);
  if (changed)
    outputs.out.front() = ~kFillByte;
  return outputs;
}

Tolerances mergeTolerances(const Variant& variant) {
  const double rounding = variant.output == ElementType::BF16  ? 1.0 / 256
                          : variant.output == ElementType::F16 ? 1.0 / 1024
                                                               : 2e-6;
  const Tolerance row{4e-6, 1e-6, 1e-7};
  return {.out = {1e-5, rounding, 5e-6}, .lse = row, .maxLogit = {1e-7, 1e-7, 1e-7}};
}

std::string describe(const MergeOptions& options) {
  std::string text = fmt::format("{} parts of {} tokens", options.parts, options.tokens);
  const auto add = [&](bool isOn, const char* words) {
    if (isOn)
      text += fmt::format(", {}", words);
  };
  add(options.f32Parts, "in f32");
  add(options.emptyParts, "empty ones");
  add(options.sinks, "sinks");
  add(options.padStrides, "padded strides");
  add(options.interleaved, "interleaved");
  add(options.inPlace, "in place");
  return text;
}

} // namespace mlac::verify
