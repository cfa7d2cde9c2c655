#include "verify/Tolerance.h"

#include "verify/HalfTypes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

namespace mlac::verify {

namespace {

/// Keeps the relative error of a zero finite; FlashMLA's constant.
constexpr double kRelativeFloor = 1e-6;

/// Below this sum of squares a cosine says nothing; FlashMLA's constant.
constexpr double kSilent = 1e-12;

/// Query tokens a request may have and still count as decoding (speculation included).
constexpr int kMostDecodeQueries = 8;

bool isAnomaly(double got, double want) {
  if (std::isnan(got) || std::isnan(want))
    return !(std::isnan(got) && std::isnan(want));
  return (std::isinf(got) || std::isinf(want)) && got != want;
}

bool isUnwritten(const std::byte* element, int bytes) {
  return std::all_of(element, element + bytes, [](std::byte b) { return b == kFillByte; });
}

/// Compares one tensor element by element and keeps the worst.
class TensorChecker {
public:
  TensorChecker(std::string name, Tolerance tolerance) {
    report.name = std::move(name);
    report.tolerance = tolerance;
  }

  void add(int token, int head, int dim, double got, double want) {
    ++report.elements;
    if (isAnomaly(got, want)) {
      ++report.failed;
      if (report.anomalies++ == 0)
        place(token, head, dim, got, want);
      return;
    }
    if (!std::isfinite(got))
      return;
    dots += got * want;
    gotSquares += got * got;
    wantSquares += want * want;
    addFinite(token, head, dim, got, want);
  }

  TensorReport finish() {
    if (wantSquares >= kSilent)
      report.cosineDiff = 1 - 2 * dots / (gotSquares + wantSquares);
    return report;
  }

  TensorReport report;

private:
  void addFinite(int token, int head, int dim, double got, double want) {
    const double absolute = std::abs(got - want);
    const double relative = absolute / (std::abs(want) + kRelativeFloor);
    report.worstRelative = std::max(report.worstRelative, relative);
    report.worstAbsolute = std::max(report.worstAbsolute, absolute);
    report.failed += absolute >= report.tolerance.absolute && relative >= report.tolerance.relative;
    const double excess =
        std::min(absolute / report.tolerance.absolute, relative / report.tolerance.relative);
    if (excess > worstExcess) {
      worstExcess = excess;
      if (report.anomalies == 0)
        place(token, head, dim, got, want);
    }
  }

  void place(int token, int head, int dim, double got, double want) {
    report.token = token;
    report.head = head;
    report.dim = dim;
    report.got = got;
    report.want = want;
  }

  double dots = 0;
  double gotSquares = 0;
  double wantSquares = 0;
  double worstExcess = -1;
};

TensorReport checkTensor(TensorChecker checker,
                         const OutputView& view,
                         const std::vector<std::byte>& buffer,
                         const Reference& reference,
                         const std::vector<double>& wanted) {
  assert(static_cast<std::int64_t>(buffer.size()) == view.bytes);
  std::size_t next = 0;
  for (const int token : reference.tokens)
    for (int head = 0; head < reference.heads; ++head)
      for (int dim = 0; dim < view.dims; ++dim) {
        const std::byte* element = buffer.data() + view.byteAt(token, head, dim);
        checker.report.unwritten += isUnwritten(element, elementBytes(view.type));
        checker.add(token, head, dim, loadElement(view.type, element), wanted[next++]);
      }
  return checker.finish();
}

std::string describeTensor(const TensorReport& tensor) {
  std::string line = fmt::format("{:<9} {}  {} elements, {} outside tolerance",
                                 tensor.name,
                                 tensor.passed() ? "pass" : "FAIL",
                                 tensor.elements,
                                 tensor.failed);
  line += fmt::format(", abs {:.3g} (limit {:.3g}), rel {:.3g} (limit {:.3g}), cos {:.3g} (limit "
                      "{:.3g})",
                      tensor.worstAbsolute,
                      tensor.tolerance.absolute,
                      tensor.worstRelative,
                      tensor.tolerance.relative,
                      tensor.cosineDiff,
                      tensor.tolerance.cosine);
  if (tensor.anomalies > 0)
    line += fmt::format(
        "; {} NaN or infinity out of place, {} never written", tensor.anomalies, tensor.unwritten);
  if (tensor.token >= 0)
    line += fmt::format("; worst at token {} head {} dim {}: {:.8g}, should be {:.8g}",
                        tensor.token,
                        tensor.head,
                        tensor.dim,
                        tensor.got,
                        tensor.want);
  return line + "\n";
}

} // namespace

Tolerances tolerancesOf(Operation operation) {
  // FlashMLA states no cosine limit for lse and max_logits; 1e-7 is its checker's default.
  constexpr double kDefaultCosine = 1e-7;
  switch (operation) {
  case Operation::DenseDecode: {
    const Tolerance row{1e-6, 8.01 / 65536, kDefaultCosine};
    return {.out = {8e-4, 2.01 / 128, 5e-6}, .lse = row, .maxLogit = row};
  }
  case Operation::SparseDecode: {
    const Tolerance row{1e-6, 8.01 / 65536, kDefaultCosine};
    return {.out = {1e-3, 2.01 / 128, 5e-6}, .lse = row, .maxLogit = row};
  }
  case Operation::SparsePrefill:
    break;
  }
  const Tolerance row{1e-6, 2.01 / 65536, kDefaultCosine};
  return {.out = {8e-4, 3.01 / 128, 7e-6}, .lse = row, .maxLogit = row};
}

Operation operationOf(const Problem& problem) {
  if (!problem.variant.isTopk())
    return Operation::DenseDecode;
  const bool decodes = problem.tokens <= kMostDecodeQueries * problem.requests;
  return decodes ? Operation::SparseDecode : Operation::SparsePrefill;
}

bool Report::passed() const {
  return guards.bytes == 0 && !tensors.empty() &&
         std::all_of(tensors.begin(), tensors.end(), [](const auto& t) { return t.passed(); });
}

Report checkOutputs(const Problem& problem,
                    const Outputs& outputs,
                    const Reference& reference,
                    const Tolerances& tolerances) {
  Report report;
  const auto check = [&](const char* name,
                         const Tolerance& tolerance,
                         const OutputView& view,
                         const std::vector<std::byte>& buffer,
                         const std::vector<double>& wanted) {
    if (view.present())
      report.tensors.push_back(
          checkTensor(TensorChecker(name, tolerance), view, buffer, reference, wanted));
  };
  check("out", tolerances.out, problem.out, outputs.out, reference.out);
  check("lse", tolerances.lse, problem.lse, outputs.lse, reference.lse);
  check("maxLogit", tolerances.maxLogit, problem.maxLogit, outputs.maxLogit, reference.maxLogit);
  report.guards = findGuardDamage(problem, outputs);
  return report;
}

std::string describe(const Report& report) {
  std::string text;
  for (const TensorReport& tensor : report.tensors)
    text += describeTensor(tensor);
  if (report.guards.bytes == 0)
    return text + "guards    pass\n";
  return text + fmt::format("guards    FAIL  {} bytes overwritten, the first in the {}\n",
                            report.guards.bytes,
                            report.guards.where);
}

} // namespace mlac::verify
