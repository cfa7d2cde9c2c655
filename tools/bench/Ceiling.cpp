#include "tools/bench/Ceiling.h"

#include "runtime/cache/CompileService.h"
#include "runtime/cuda/CudaStatus.h"
#include "runtime/cuda/Device.h"
#include "tools/bench/CudaHandles.h"
#include "tools/bench/KernelTexts.h"
#include "tools/bench/RowList.h"
#include "tools/gpu/DeviceBuffer.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <utility>

namespace mlac {
namespace {

constexpr const char* kEntry = "gatherRows";
constexpr unsigned kThreads = 256;
constexpr int kLoads = 8; // of a thread and round; as in gather_rows.cu
// On an H200 the smaller is faster up to some thousand rows, the larger from there on.
constexpr std::array<int, 2> kCtasPerSm = {4, 8};
constexpr unsigned kNonBlocking = 1;

/// The kernel's one parameter, as in gather_rows.cu. Device addresses.
struct GatherArgs {
  const std::byte* base = nullptr;
  const std::byte* starts = nullptr;
  std::byte* sum = nullptr;
  unsigned rows = 0;
};

/// One input set as the kernel is given it.
struct GatherSet {
  const std::byte* base = nullptr;
  DeviceBuffer starts;
  unsigned rows = 0;
  std::uint32_t contentXor = 0;
};

/// Launches over all sets of one measurement.
class Gather {
public:
  Gather(const Device& device, CUfunction function)
      : device(device), api(*device.get().api), function(function), stream(api) {}

  Status prepare(const InputSets& inputs, int piecesPerRow);
  Status checkContent();
  Result<CeilingResult> fastest(int iterations);

private:
  Status launch(std::size_t set, int ctasPerSm, std::byte* sum);

  const Device& device;
  const DriverApi& api;
  CUfunction function;
  StreamHandle stream;
  std::vector<GatherSet> sets;
  std::int64_t rowBytes = 0;
};

/// The kernel counts pieces in 32 bits, past the end by a round of all threads.
Status checkCountable(const Device& device, std::size_t rows, int piecesPerRow) {
  const std::int64_t round = std::int64_t{device.sms()} * kCtasPerSm.back() * kThreads * kLoads;
  const std::int64_t most = (std::numeric_limits<std::uint32_t>::max() - round) / piecesPerRow;
  if (static_cast<std::int64_t>(rows) <= most)
    return Unit{};
  return Error{ErrorCode::Unsupported,
               fmt::format("the floor is measured for at most {} rows a launch, and this one reads "
                           "{}; give a smaller --batch or --context",
                           most,
                           rows)};
}

Status Gather::prepare(const InputSets& inputs, int piecesPerRow) {
  rowBytes = std::int64_t{piecesPerRow} * kPieceBytes;
  for (const auto& input : inputs) {
    MLAC_TRY(rows, rowsOf(input->host));
    MLAC_CHECK(checkCountable(device, rows.starts.size(), piecesPerRow));
    MLAC_TRY(starts, DeviceBuffer::holding(device, std::as_bytes(std::span(rows.starts))));
    sets.push_back({static_cast<const std::byte*>(input->args.cache.base),
                    std::move(starts),
                    static_cast<unsigned>(rows.starts.size()),
                    rows.contentXor});
  }
  MLAC_CUDA(api, cuStreamCreate, stream.out(), kNonBlocking);
  // Uploads went through the default stream, which this one does not wait for.
  MLAC_CUDA(api, cuCtxSynchronize);
  return Unit{};
}

Status Gather::launch(std::size_t set, int ctasPerSm, std::byte* sum) {
  const GatherSet& one = sets[set];
  GatherArgs args{one.base, one.starts.at(), sum, one.rows};
  void* params[] = {&args};
  CUlaunchConfig config;
  config.gridX = static_cast<unsigned>(device.sms() * ctasPerSm);
  config.blockX = kThreads;
  config.stream = stream.get();
  MLAC_CUDA(api, cuLaunchKernelEx, &config, function, params, nullptr);
  return Unit{};
}

Status Gather::checkContent() {
  std::uint32_t sum = 0;
  const auto bytes = std::as_writable_bytes(std::span(&sum, 1));
  for (std::size_t set = 0; set < sets.size(); ++set)
    for (const int ctasPerSm : kCtasPerSm) {
      sum = 0;
      MLAC_TRY(buffer, DeviceBuffer::holding(device, bytes));
      MLAC_CHECK(launch(set, ctasPerSm, buffer.at()));
      MLAC_CUDA(api, cuStreamSynchronize, stream.get());
      MLAC_CHECK(buffer.download(bytes));
      if (sum != sets[set].contentXor)
        return Error{ErrorCode::DriverFailed,
                     fmt::format("the gather of input set {} read words whose xor is {:08x}, the "
                                 "rows' is {:08x}: no floor can be taken from it",
                                 set,
                                 sum,
                                 sets[set].contentXor)};
    }
  return Unit{};
}

Result<CeilingResult> Gather::fastest(int iterations) {
  std::optional<CeilingResult> best;
  const int count = static_cast<int>(sets.size());
  for (const int ctasPerSm : kCtasPerSm) {
    const auto launchNumbered = [&](int number) {
      return launch(static_cast<std::size_t>(number % count), ctasPerSm, nullptr);
    };
    MLAC_TRY(
        timing,
        timeInGraph(device, stream.get(), launchesPerGraph(count), iterations, launchNumbered));
    if (!best || timing.medianUs < best->timing.medianUs)
      best = CeilingResult{timing, ctasPerSm, sets.front().rows * rowBytes};
  }
  return *best;
}

} // namespace

Result<GatherCeiling> GatherCeiling::load(const Device& device, int recordBytes) {
  if (recordBytes % kPieceBytes != 0)
    return Error{ErrorCode::Unsupported,
                 fmt::format("the floor is measured for records of a multiple of {} bytes, and "
                             "these have {}",
                             kPieceBytes,
                             recordBytes)};
  const int pieces = recordBytes / kPieceBytes;
  const KernelText& file = kernelTexts().front();
  CompileInput input;
  input.source = file.text;
  input.name = file.name;
  input.entry = kEntry;
  input.target = device.targetName();
  input.extraOptions = {fmt::format("-DkPieces={}u", pieces)};
  MLAC_TRY(compiled, processCompileService().cubinFor("floor", input));
  MLAC_TRY(module, Module::load(device.get(), compiled.output->cubin));
  MLAC_TRY(function, module.function(kEntry));
  return GatherCeiling(device, std::move(module), function, pieces);
}

Result<CeilingResult> GatherCeiling::measure(const InputSets& sets, int iterations) const {
  Gather gather(device, function);
  MLAC_CHECK(gather.prepare(sets, piecesPerRow));
  MLAC_CHECK(gather.checkContent());
  return gather.fastest(iterations);
}

} // namespace mlac
