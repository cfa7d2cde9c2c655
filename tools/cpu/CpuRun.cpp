#include "tools/cpu/CpuRun.h"

#include <sys/mman.h>

namespace mlac {
namespace {

using verify::Input;
using verify::OutputView;
using verify::Problem;
using verify::QueryView;

const std::int32_t* intsOrNull(const Problem& problem, Input id) {
  return problem.has(id) ? problem.ints(id).data() : nullptr;
}

const std::byte* queryBase(const Problem& problem, const QueryView& view) {
  return problem.input(view.buffer).data() + view.offsetBytes;
}

float* floatsOrNull(std::vector<std::byte>& buffer, const OutputView& view) {
  return view.present() ? reinterpret_cast<float*>(buffer.data() + view.offsetBytes) : nullptr;
}

void bindQuery(CpuArgs& args, const Problem& problem) {
  args.qLatent = queryBase(problem, problem.qLatent);
  args.qLatentTokenStride = problem.qLatent.tokenStride;
  args.qLatentHeadStride = problem.qLatent.headStride;
  if (problem.variant.rope == 0)
    return;
  args.qRope = queryBase(problem, problem.qRope);
  args.qRopeTokenStride = problem.qRope.tokenStride;
  args.qRopeHeadStride = problem.qRope.headStride;
}

void bindTables(CpuArgs& args, const Problem& problem) {
  args.blockTable = intsOrNull(problem, Input::BlockTable);
  args.blockTableStride = problem.blockTableStride;
  args.maxPages = problem.maxPages;
  args.queryStart = intsOrNull(problem, Input::QueryStart);
  args.tokenRequest = intsOrNull(problem, Input::TokenRequest);
  args.seqLens = intsOrNull(problem, Input::SeqLens);
  args.keyEnd = intsOrNull(problem, Input::KeyEnd);
  args.indices = intsOrNull(problem, Input::Indices);
  args.indicesStride = problem.indicesStride;
  args.topkLength = intsOrNull(problem, Input::TopkLength);
}

void bindOutputs(CpuArgs& args, const Problem& problem, verify::Outputs& outputs) {
  args.out = outputs.out.data() + problem.out.offsetBytes;
  args.outTokenStride = problem.out.tokenStride;
  args.outHeadStride = problem.out.headStride;
  args.lse = floatsOrNull(outputs.lse, problem.lse);
  args.lseTokenStride = problem.lse.tokenStride;
  args.lseHeadStride = problem.lse.headStride;
  args.maxLogit = floatsOrNull(outputs.maxLogit, problem.maxLogit);
  args.maxLogitTokenStride = problem.maxLogit.tokenStride;
  args.maxLogitHeadStride = problem.maxLogit.headStride;
}

} // namespace

HostCache::HostCache(const Problem& problem) : bytes(problem.cacheBytes()) {
  base = mmap(
      nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) {
    base = nullptr;
    return;
  }
  const verify::CacheRows& rows = problem.cache;
  problem.writePages(rows.firstPage,
                     rows.heldPages,
                     static_cast<std::byte*>(base) + rows.firstPage * rows.pageStrideBytes);
}

HostCache::~HostCache() {
  if (base)
    munmap(base, bytes);
}

std::vector<CpuParam> cpuParamsOf(const Problem& problem) {
  std::vector<CpuParam> params;
  for (std::size_t index = 0; index < problem.variant.params.size(); ++index) {
    const RuleParam& param = problem.variant.params[index];
    const double value = problem.paramValues[index];
    if (!param.isArgument())
      continue;
    params.push_back({.array = problem.paramArrays[index].data()});
    if (param.kind == ParamKind::Scalar && param.type == ExprType::F32)
      params.back().real = static_cast<float>(value);
    else if (param.kind == ParamKind::Scalar)
      params.back().integer = static_cast<std::int32_t>(value);
  }
  return params;
}

CpuArgs bindCpuArgs(const Problem& problem, const HostCache& cache, verify::Outputs& outputs) {
  CpuArgs args;
  args.tokens = problem.tokens;
  args.requests = problem.requests;
  args.cache = cache.data();
  args.pageStrideBytes = problem.cache.pageStrideBytes;
  args.tokenStrideBytes = problem.cache.tokenStrideBytes;
  args.slots = problem.slots;
  args.cacheScale = problem.cacheScale;
  if (problem.has(Input::Scale))
    args.scaleDevice = reinterpret_cast<const float*>(problem.input(Input::Scale).data());
  else
    args.scale = problem.scale;
  if (problem.has(Input::Sinks))
    args.sinks = reinterpret_cast<const float*>(problem.input(Input::Sinks).data());
  bindQuery(args, problem);
  bindTables(args, problem);
  bindOutputs(args, problem, outputs);
  return args;
}

Result<verify::Outputs> runOnCpu(const CpuKernel& kernel, const Problem& problem, int threads) {
  const HostCache cache(problem);
  if (!cache.data())
    return Error{ErrorCode::MissingDependency, "no address space for the cache"};
  verify::Outputs outputs = verify::freshOutputs(problem);
  const std::vector<CpuParam> params = cpuParamsOf(problem);
  CpuArgs args = bindCpuArgs(problem, cache, outputs);
  args.params = params.data();
  args.paramCount = static_cast<std::int32_t>(params.size());
  MLAC_CHECK(kernel.run(args, threads));
  return outputs;
}

} // namespace mlac
