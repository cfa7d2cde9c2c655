// mlac's C++ interface: a device, a family of kernels, a plan for a size, a launch.
//
//   auto device = mlac::Device::current();
//   auto bundle = mlac::Bundle::open("glm5.mlacb");
//   auto family = bundle->family("glm5_decode", *device);
//   auto plan = family->plan({.tokens = 64, .requests = 64, .maxSeqLen = 131072});
//   auto status = family->launch(*plan, {.q = {q}, .cache = {pages, slots}, ...}, stream);
//
// Every object is a shared handle: copying is cheap, any thread may use it. Only the declarations
// below need this header; neither CUDA's headers nor LLVM's are included. Device memory is the
// caller's throughout: mlac allocates none.
#pragma once

#include "mlac/Result.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// A CUstream (or cudaStream_t). Null is the legacy default stream.
using Stream = void*;

/// A GPU together with the CUDA context that was current when it was asked for.
class Device {
public:
  /// The device of the context that is current in the calling thread; never "device 0" by itself.
  /// MissingDependency where there is no driver, or no context is current.
  static Result<Device> current();

  /// Retains device `ordinal`'s primary context and makes it current in this thread. Meant for
  /// tools and tests; an embedder already has a context. The context is released with the last
  /// copy.
  static Result<Device> open(int ordinal);

  const std::string& name() const; ///< such as "NVIDIA H200"
  int sms() const;                 ///< multiprocessors
  int computeMajor() const;        ///< 9 of compute capability 9.0
  int computeMinor() const;        ///< 0 of compute capability 9.0
  const std::string&
  targetName() const; ///< newest target mlac generates for that runs here, such as "sm_90"

  struct Impl;

  explicit Device(std::shared_ptr<const Impl> impl);

  const Impl& get() const { return *impl; }

  const std::shared_ptr<const Impl>& share() const { return impl; }

private:
  std::shared_ptr<const Impl> impl;
};

/// The size a plan is made for.
struct PlanShape {
  std::int64_t tokens = 0;   ///< T: query tokens of the launch, exactly
  std::int64_t requests = 0; ///< R: requests they belong to; may stay 0 for physical indices
  std::int64_t maxSeqLen =
      0;           ///< longest sequence, in keys; only the choice of kernel depends on it
  int splits = 0;  ///< parts every row's keys are cut into; 0: chosen
  int kernel = -1; ///< index of the attention kernel among kernels(); -1: chosen
  /// Rows have different lengths: cut the batch, not each row. The launches of a step then need a
  /// schedule, which Family::schedule makes once for all layers.
  bool balance = false;
};

/// Which kernel serves a size, in how many parts, and how much workspace that takes.
struct Plan {
  PlanShape shape;
  int kernel = 0;                 ///< index among Family::kernels()
  int splits = 1;                 ///< of every row; 1: no partial results, no combine
  int parts = 0;                  ///< of the batch, where it is balanced; else 0
  int pieceTiles = 0;             ///< what a piece costs beside its tiles, in tiles
  std::size_t scheduleBytes = 0;  ///< device bytes of the schedule; 0 where none is needed
  std::int64_t gridCtas = 0;      ///< thread blocks of the attention launch; 0: nothing to do
  std::size_t workspaceBytes = 0; ///< device bytes to hand to launch; 0 where none is needed
  double predictedNs = 0;         ///< what the cost model expects
  std::uint64_t family = 0;       ///< identity of the family that made the plan
};

/// Read-only device tensor [T, H, dims]; strides count elements, the innermost is 1, 0 means
/// contiguous.
struct ConstTensor {
  const void* data = nullptr;
  std::int64_t tokenStride = 0;
  std::int64_t headStride = 0;
};

/// Writable device tensor [T, H, dims], or [T, H] for LSE and maximum; strides as above.
struct Tensor {
  void* data = nullptr;
  std::int64_t tokenStride = 0;
  std::int64_t headStride = 0;
};

/// Read-only device table of i32 rows; `stride` counts elements, 0 means `columns`.
struct Table {
  const std::int32_t* data = nullptr;
  std::int64_t columns = 0; ///< for `indices`: the spec's top-k, may stay 0
  std::int64_t stride = 0;
};

/// The paged cache. Address of a slot: base + slot / page * pageStrideBytes + slot % page *
/// tokenStrideBytes.
struct Cache {
  const void* base = nullptr;        ///< 16-byte aligned
  std::int64_t slots = 0;            ///< slots that exist; any other is treated as absent
  std::int64_t pageStrideBytes = 0;  ///< multiple of 16; 0: pages lie end to end
  std::int64_t tokenStrideBytes = 0; ///< multiple of 16; 0: records lie end to end
};

/// Device scratch. Needs no initialisation and carries nothing over between launches.
struct Workspace {
  void* data = nullptr; ///< 256-byte aligned
  std::size_t bytes = 0;
};

/// The value of a `param` of the spec that has no default.
struct ParamArg {
  std::string_view name{};
  double value = 0;           ///< of one number; any i32 or finite f32
  const void* data = nullptr; ///< of a number per head or token: i32 or f32 [H] or [T]
};

/// Arguments of an attention launch. All pointers are device pointers unless said otherwise.
struct LaunchArgs {
  ConstTensor q{};       ///< [T, H, latent + rope]; or the two below
  ConstTensor qLatent{}; ///< [T, H, latent], often a transposed view
  ConstTensor qRope{};   ///< [T, H, rope]
  Cache cache{};
  Table blockTable{};                         ///< [R, maxPages]; absent for physical indices
  const std::int32_t* queryStart = nullptr;   ///< [R + 1]; absent: T / R tokens a request
  const std::int32_t* tokenRequest = nullptr; ///< [T], instead of queryStart
  const std::int32_t* seqLens = nullptr;      ///< [R]; absent for physical indices
  const std::int32_t* keyEnd = nullptr;       ///< [T], optional: token t sees positions below it
  Table indices{};                            ///< [T, K]; top-k only
  const std::int32_t* topkLength = nullptr;   ///< [T], optional: entries past it are not read
  std::optional<float> scale{};               ///< for `scale runtime`: the value, or
  const float* scaleDevice = nullptr;         ///< where it is on the device
  std::span<const ParamArg> params{};         ///< all parameters without a default, in any order
  const float* sinks = nullptr;               ///< [H], where the spec has `sink per head`
  Tensor out{};      ///< [T, H, valueDims]; pointer and strides multiples of 4 elements
  Tensor lse{};      ///< [T, H] f32, where the spec asks for it
  Tensor maxLogit{}; ///< [T, H] f32, where the spec asks for it
  Workspace workspace{};
  const void* schedule = nullptr; ///< of a balanced plan: what Family::schedule wrote for it
  std::int64_t tokens = -1;       ///< -1: the plan's; never more than the plan's
  std::int64_t requests = -1;     ///< -1: the plan's
};

/// Arguments of a schedule: what the launches of the step will say about lengths, and the memory it
/// is written to.
struct ScheduleArgs {
  const std::int32_t* queryStart = nullptr;   ///< [R + 1]; as in LaunchArgs
  const std::int32_t* tokenRequest = nullptr; ///< [T]
  const std::int32_t* seqLens = nullptr;      ///< [R]; absent for top-k
  const std::int32_t* keyEnd = nullptr;       ///< [T]
  const std::int32_t* topkLength = nullptr;   ///< [T]; top-k only
  Workspace schedule{};                       ///< at least Plan::scheduleBytes
  std::int64_t tokens = -1;                   ///< -1: the plan's; the same as in the launches
  std::int64_t requests = -1;                 ///< -1: the plan's
};

/// Arguments of the conversion of request-local indices to physical slots (`iterate topk N logical`
/// only).
struct ConvertArgs {
  std::int64_t tokens = 0;
  std::int64_t requests = 0;
  Table indices{};                          ///< [T, K]
  const std::int32_t* topkLength = nullptr; ///< [T], optional
  Table blockTable{};                       ///< [R, maxPages]
  const std::int32_t* queryStart = nullptr;
  const std::int32_t* tokenRequest = nullptr;
  const std::int32_t* seqLens = nullptr;
  const std::int32_t* keyEnd = nullptr;
  std::int64_t slots = 0;           ///< slots of the cache, as Cache::slots
  std::int64_t slotsPerBlock = 0;   ///< written slots from one block to the next; 0: the page size
  std::int32_t* slotsOut = nullptr; ///< [T, K] i32, -1 where there is no key
  std::int64_t slotsOutStride = 0;  ///< elements; 0: K
  std::int32_t* validCounts = nullptr; ///< [T], optional: valid entries of each row
};

/// Device tensor [parts, tokens, heads, dims] that is only read. Strides count elements, the
/// innermost is 1, 0 means contiguous; parts may lie one after another or between tokens or heads.
struct PartTensor {
  const void* data = nullptr;
  std::int64_t partStride = 0;
  std::int64_t tokenStride = 0;
  std::int64_t headStride = 0;
};

/// Arguments of a merge: results of the same rows over different keys, each written by a launch of
/// its own, such as those of context-parallel ranks. A part whose LSE is an infinity of either sign
/// has no key, counts for nothing, and is not read further. The results may take the place of part
/// 0: the same pointer, strides and type.
struct MergeArgs {
  std::int64_t tokens = 0;
  std::int64_t parts = 0;    ///< N, 1 to 2^20
  PartTensor partOut{};      ///< [N, T, H, valueDims]; pointer and strides multiples of 4 elements
  bool f32Parts = false;     ///< partOut is f32, else as the spec's output
  PartTensor partLse{};      ///< [N, T, H] f32, in the base the spec names
  PartTensor partMaxLogit{}; ///< [N, T, H] f32, optional, where the spec has max_logit
  const float* sinks = nullptr; ///< [H], optional: e^sink joins each row's denominator, no LSE;
                                ///< +inf makes the output 0, -inf changes nothing
  Tensor out{};                 ///< [T, H, valueDims]; pointer and strides multiples of 4 elements
  Tensor lse{};                 ///< [T, H] f32, optional
  Tensor maxLogit{};            ///< [T, H] f32, with partMaxLogit
};

/// What one kernel takes, as the compiler of the GPU code and the driver report it.
struct KernelReport {
  std::string entry;
  std::string role;     ///< "attention", "combine", "convert", "schedule" or "merge"
  std::string schedule; ///< as text, for people
  std::string target;   ///< what it was compiled for
  std::string origin;   ///< "bundle", "memory cache", "disk cache" or "compiled"
  int threads = 0;
  int registers = -1; ///< a thread; -1: not reported
  int spillStoreBytes = -1;
  int spillLoadBytes = -1;
  int stackBytes = -1;
  int staticSmemBytes = 0;
  int dynamicSmemBytes = 0;
};

/// Dimensions and flags of a variant, for callers that size tensors by them.
struct VariantInfo {
  std::string name;
  int heads = 0;
  int qkDims = 0;
  int valueDims = 0;
  int page = 0;
  int topk = 0; ///< 0 unless top-k
  int recordBytes = 0;
  bool logical = false; ///< needs blockTable and seqLens
  bool hasLse = false;
  bool hasMaxLogit = false;
  bool hasConvert = false;
  bool hasMerge = false;
  bool hasSink = false;       ///< needs sinks
  std::optional<float> scale; ///< absent: an argument of the launch
};

/// All kernels of one variant, loaded into one context.
class Family {
public:
  VariantInfo variant() const;
  const std::string& specText() const;
  const std::string& target() const;
  std::vector<KernelReport> kernels() const;

  /// Chooses kernel and splits. Every kernel was compiled when the family was loaded, so planning
  /// never compiles and may happen during stream capture. InvalidArgument for sizes no grid can
  /// hold.
  Result<Plan> plan(const PlanShape& shape) const;

  /// Checks every argument, then enqueues on `stream`. Allocates nothing, waits for nothing, reads
  /// no device memory: safe under stream capture, and a captured launch may be replayed with other
  /// contents. Keep the family alive as long as such a graph. Zero tokens: returns at once, without
  /// a driver call.
  Status launch(const Plan& plan, const LaunchArgs& args, Stream stream) const;

  /// Enqueues the schedule of a balanced plan, to be read by the launches behind it on the stream,
  /// as many as there are layers; the same promises as launch. A captured one cuts anew at each
  /// replay. InvalidArgument for a plan without balance.
  Status schedule(const Plan& plan, const ScheduleArgs& args, Stream stream) const;

  /// Enqueues the conversion of `indices` to slots; the same promises as launch.
  Status convert(const ConvertArgs& args, Stream stream) const;

  /// Enqueues the merge of partial results; the same promises as launch. Unsupported for a spec
  /// without an LSE.
  Status merge(const MergeArgs& args, Stream stream) const;

  struct Impl;

  explicit Family(std::shared_ptr<const Impl> impl);

  const Impl& get() const { return *impl; }

private:
  std::shared_ptr<const Impl> impl;
};

/// A directory of compiled families that needs no compiler, and no NVRTC where it holds a fitting
/// cubin.
class Bundle {
public:
  /// Reads and checks the directory's table; InvalidInput, CorruptData or IoFailed name the file.
  static Result<Bundle> open(const std::string& path);

  /// Names of the variants it holds, sorted, each once.
  std::vector<std::string> names() const;

  /// Loads the family made for the newest target that runs on `device`. An empty name means the
  /// only one.
  Result<Family> family(std::string_view name, const Device& device) const;

  struct Impl;

  explicit Bundle(std::shared_ptr<const Impl> impl);

  const Impl& get() const { return *impl; }

private:
  std::shared_ptr<const Impl> impl;
};

/// What `compile` may be told beside the spec.
struct CompileOptions {
  std::string target{};                 ///< empty: the device's
  std::string attention{};              ///< which one of several in the text; empty: the only one
  std::vector<std::string> overrides{}; ///< "key=value" for the schedule
};

/// Compiles a spec text and loads it. In the library that holds the compiler (jit/); the rest above
/// does not need it.
Result<Family>
compile(std::string_view specText, const Device& device, const CompileOptions& options = {});

/// "0.1.0"
const char* version();

} // namespace mlac
