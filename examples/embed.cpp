// Compiles a variant and launches it: all that embedding mlac takes. docs/embedding.md explains it.
#include "SharedMemory.h"
#include "mlac/mlac.hpp"

#include <cmath>
#include <cstdio>

static const char* const kSpec = "attention decode { heads 8; latent 512; rope 64; queries 1\n"
                                 "  cache bf16 page 64; iterate topk 256 physical\n"
                                 "  scale 0.0417; output bf16 lse natural }";

constexpr std::size_t kTokens = 2, kHeads = 8, kQkDims = 576, kValueDims = 512, kKeys = 256;

static int report(const mlac::Error& error) {
  std::printf("%s: %s\n", mlac::errorCodeName(error.code), error.message.c_str());
  return error.code == mlac::ErrorCode::MissingDependency ? 0 : 1; // no GPU: nothing to show
}

int main() {
  auto device = mlac::Device::open(0); // an engine has a context already: Device::current()
  if (!device)
    return report(device.error());
  auto family = mlac::compile(kSpec, *device);
  if (!family)
    return report(family.error());
  auto plan = family->plan({.tokens = kTokens, .requests = kTokens, .maxSeqLen = kKeys});
  if (!plan)
    return report(plan.error());
  auto* indices = allocateShared<std::int32_t>(kTokens * kKeys);
  for (std::size_t i = 0; i < kTokens * kKeys; ++i)
    indices[i] = static_cast<std::int32_t>(i % kKeys);
  auto* lse = allocateShared<float>(kTokens * kHeads);
  auto status = family->launch(
      *plan,
      {.q = {allocateShared<std::uint16_t>(kTokens * kHeads * kQkDims)},
       .cache = {allocateShared<std::uint16_t>(kKeys * kQkDims), kKeys},
       .indices = {indices},
       .out = {allocateShared<std::uint16_t>(kTokens * kHeads * kValueDims)},
       .lse = {lse},
       .workspace = {allocateShared<std::byte>(plan->workspaceBytes), plan->workspaceBytes}},
      nullptr);
  if (!status)
    return report(status.error());
  if (!waitForDevice())
    return 1;
  std::printf("lse of the first row: %f, of equal keys: %f\n", lse[0], std::log(double(kKeys)));
  return std::abs(lse[0] - std::log(double(kKeys))) < 1e-4 ? 0 : 1;
}
