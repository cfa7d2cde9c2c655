// KernelKey: everything a cubin depends on, as readable text. Two keys are equal when their texts
// are.
#pragma once

#include "runtime/nvrtc/Compile.h"

#include <string>
#include <string_view>

namespace mlac {

struct KernelKey {
  std::string identity;  ///< role, entry, target, options and the whole source
  std::string toolchain; ///< NVRTC's version and build id; empty: any build will do

  /// Names the identity in file names; contents are compared in full all the same.
  std::string identityDigest() const;
  std::string toolchainDigest() const;

  friend bool operator==(const KernelKey&, const KernelKey&) = default;
};

/// The key of compiling `input` with `nvrtc`; null where there is no NVRTC, and then any build's
/// result matches.
KernelKey makeKernelKey(std::string_view role, const CompileInput& input, const Nvrtc* nvrtc);

} // namespace mlac
