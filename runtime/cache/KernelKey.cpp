#include "runtime/cache/KernelKey.h"

#include "common/Digest.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace mlac {
namespace {

constexpr std::size_t kShortDigest = 8;

} // namespace

std::string KernelKey::identityDigest() const {
  return digestHex(identity);
}

std::string KernelKey::toolchainDigest() const {
  return digestHex(toolchain).substr(0, kShortDigest);
}

KernelKey makeKernelKey(std::string_view role, const CompileInput& input, const Nvrtc* nvrtc) {
  KernelKey key;
  // Which of the fixed options apply depends on NVRTC's version alone, so they belong to the
  // toolchain.
  key.identity = fmt::format("role {}\nentry {}\ntarget {}\noptions {}\nsource {} bytes\n{}",
                             role,
                             input.entry,
                             input.target,
                             fmt::join(input.extraOptions, " "),
                             input.source.size(),
                             input.source);
  if (nvrtc != nullptr)
    key.toolchain = fmt::format("nvrtc {}.{}\nbuild {}\noptions {}\n",
                                nvrtc->major,
                                nvrtc->minor,
                                nvrtc->buildId,
                                fmt::join(compileOptions(*nvrtc, input), " "));
  return key;
}

} // namespace mlac
