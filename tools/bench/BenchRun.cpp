#include "tools/bench/BenchRun.h"

#include "runtime/Family.h"
#include "runtime/cuda/Device.h"
#include "runtime/plan/Planner.h"
#include "tools/bench/Bench.h"
#include "tools/bench/BenchRequest.h"
#include "tools/bench/Ceiling.h"
#include "tools/bench/ComparePeers.h"
#include "tools/bench/RowList.h"
#include "verify/Reference.h"
#include "verify/Tolerance.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace mlac {
namespace {

constexpr const char* kOurName = "mlac";

/// Multiplications the float64 reference may take for a case: some seconds on two cores.
constexpr double kReferenceBudget = 1e10;
constexpr int kFewestChecked = 2;
constexpr int kMostChecked = 64;

std::vector<int> tokensToCheck(const verify::Problem& problem) {
  const Variant& variant = problem.variant;
  const double perToken = double(variant.heads) *
                          double(keysPerRow(variant, problem.maxSeqLen) + 1) *
                          double(variant.qkDims() + variant.valueDims());
  const double count =
      std::clamp(kReferenceBudget / perToken, double(kFewestChecked), double(kMostChecked));
  return verify::sampleTokens(problem.tokens, std::min(static_cast<int>(count), problem.tokens));
}

/// "out (3 of 4096 elements), guards": what of a failing report is wrong, in one line.
std::string wrongPartsOf(const verify::Report& report) {
  std::vector<std::string> parts;
  for (const verify::TensorReport& tensor : report.tensors)
    if (!tensor.passed())
      parts.push_back(
          fmt::format("{} ({} of {} elements)", tensor.name, tensor.failed, tensor.elements));
  if (report.guards.bytes > 0)
    parts.emplace_back("guards");
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// VerificationFailed where the timed launches' outputs are not the reference's.
Status checkResult(const verify::Problem& problem, const BenchResult& result) {
  if (!result.replaysAgree)
    return Error{ErrorCode::VerificationFailed,
                 "a replayed graph gave other bits than a plain launch of the same inputs"};
  const auto reference = verify::referenceAttention(problem, {.tokens = tokensToCheck(problem)});
  const auto report = verify::checkOutputs(
      problem, result.outputs, reference, verify::tolerancesOf(verify::operationOf(problem)));
  if (report.passed())
    return Unit{};
  return Error{ErrorCode::VerificationFailed,
               "outputs differ from the reference: " + wrongPartsOf(report)};
}

class BenchRun {
public:
  BenchRun(const BenchSubject& subject, const BenchRequest& request, const BenchTalk& warn)
      : subject(subject), request(request), warn(warn), inputs(subject.device),
        variant(kernelFamilyOf(subject.family).variant) {}

  Result<BenchReport> run();

private:
  void describe();
  void loadCeiling();
  BenchCase runCase(int batch);
  Status timeCase(BenchCase& one, BenchRow& row);
  void timeFloor(const InputSets& sets, BenchCase& one);

  const BenchSubject& subject;
  const BenchRequest& request;
  const BenchTalk& warn;
  BenchInputs inputs;
  const Variant& variant;
  std::optional<GatherCeiling> ceiling;
  BenchReport report;
};

void BenchRun::describe() {
  report.device = subject.device.name();
  report.target = subject.family.target();
  report.attention = variant.name;
  report.heads = variant.heads;
  report.topk = variant.topk;
  report.context = request.context;
  report.queries = request.queries > 0 ? request.queries : variant.minQueries;
  report.seed = request.seed;
  report.iterations = request.iterations;
}

void BenchRun::loadCeiling() {
  auto loaded = GatherCeiling::load(subject.device, variant.recordBytes());
  if (loaded)
    ceiling.emplace(std::move(*loaded));
  else
    warn("no floor is measured: " + loaded.error().message);
}

void BenchRun::timeFloor(const InputSets& sets, BenchCase& one) {
  if (!ceiling)
    return;
  const auto measured = ceiling->measure(sets, request.iterations);
  if (!measured) {
    warn(fmt::format("no floor for b={}: {}", one.batch, measured.error().message));
    return;
  }
  one.floor = BenchFloor{measured->timing, measured->ctasPerSm, measured->gigabytesPerSecond()};
}

Status BenchRun::timeCase(BenchCase& one, BenchRow& row) {
  verify::ProblemOptions options;
  options.tokens = one.tokens;
  options.requests = one.batch;
  options.context = request.context;
  options.seed = request.seed;
  MLAC_TRY(sets, inputs.get(variant, options, fmt::format("{}", one.batch)));
  one.inputSets = static_cast<int>(sets->size());
  one.keyBytes = keyBytesOf(sets->front()->host);
  one.flops = flopsOf(sets->front()->host);
  MLAC_TRY(result, benchmark(subject.device, subject.family, *sets, {{}, request.iterations}));
  row.predictedUs = result.predictedUs;
  row.splits = result.plan.splits;
  row.config = subject.family.kernels()[static_cast<std::size_t>(result.plan.kernel)].entry;
  timeFloor(*sets, one);
  MLAC_CHECK(checkResult(sets->front()->host, result));
  row.timing = Timing{result.medianUs, result.minUs, result.maxUs};
  return Unit{};
}

BenchCase BenchRun::runCase(int batch) {
  BenchCase one;
  one.batch = batch;
  BenchRow row;
  row.contestant = kOurName;
  row.isOurs = true;
  const std::int64_t tokens = std::int64_t{batch} * report.queries;
  constexpr std::int64_t kMostTokens = std::int64_t{1} << 24;
  one.tokens = static_cast<int>(std::min(tokens, kMostTokens));
  const Status timed =
      tokens > kMostTokens
          ? Status(Error{ErrorCode::InvalidInput,
                         fmt::format("{} requests of {} query tokens are {} tokens; give at most "
                                     "{}",
                                     batch,
                                     report.queries,
                                     tokens,
                                     kMostTokens)})
          : timeCase(one, row);
  if (!timed) {
    const Error& error = timed.error();
    row.isWrong = error.code == ErrorCode::VerificationFailed;
    row.problem = error.message;
    report.errors.push_back({error.code, fmt::format("b={}: {}", batch, error.message)});
  }
  one.rows.push_back(std::move(row));
  return one;
}

Result<BenchReport> BenchRun::run() {
  describe();
  loadCeiling();
  for (const int batch : request.batches)
    report.cases.push_back(runCase(batch));
  return std::move(report);
}

} // namespace

Result<BenchReport>
runBench(const BenchSubject& subject, const BenchRequest& request, const BenchTalk& warn) {
  // Its input sets leave the GPU's memory before the peers need it.
  MLAC_TRY(report, BenchRun(subject, request, warn).run());
  if (request.compare)
    comparePeers(subject, request, warn, report);
  return std::move(report);
}

} // namespace mlac
