// Compile: one CUDA C++ source through NVRTC to a cubin, with its log and the resources it takes.
#pragma once

#include "common/Result.h"
#include "runtime/nvrtc/Nvrtc.h"

#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// What ptxas reports of one entry. -1 where the log does not say.
struct Resources {
  int registers = -1; ///< a thread
  int spillStoreBytes = -1;
  int spillLoadBytes = -1;
  int stackBytes = -1;
  int staticSmemBytes = 0;

  friend bool operator==(const Resources&, const Resources&) = default;
};

struct CompileOutput {
  std::string cubin; ///< ELF image
  std::string ptx;   ///< empty when it comes from a cache or a bundle
  std::string log;   ///< ptxas -v lines and warnings
  Resources resources;
};

struct CompileInput {
  std::string_view source; ///< self-contained: no include is resolved
  std::string_view name;   ///< shown in NVRTC's messages
  std::string_view entry;  ///< whose resources are wanted
  std::string_view target; ///< "sm_90"; a suffix a or f is kept
  std::vector<std::string> extraOptions;
};

/// The options such a compilation is run with, in order; part of the cache key.
std::vector<std::string> compileOptions(const Nvrtc& nvrtc, const CompileInput& input);

/// Compiles to a cubin. CompileFailed carries NVRTC's log; Unsupported lists the targets this NVRTC
/// has.
Result<CompileOutput> compileSource(const Nvrtc& nvrtc, const CompileInput& input);

/// Reads the lines ptxas prints under -v for `entry`.
Resources parsePtxasLog(std::string_view log, std::string_view entry);

} // namespace mlac
