// FamilyImpl: a family's kernels as they stand in one context.
#pragma once

#include "common/KernelFamily.h"
#include "mlac/mlac.hpp"
#include "runtime/cuda/Device.h"
#include "runtime/cuda/Module.h"
#include "runtime/launch/Params.h"

#include <cstdint>
#include <vector>

namespace mlac {

struct LoadedKernel {
  Module module;
  CUfunction function = nullptr;
  PackList params;
  KernelReport report;
};

struct Family::Impl {
  Device device; ///< first, so that its context outlives the modules below
  KernelFamily family;
  std::vector<LoadedKernel> kernels; ///< in the order of family.kernels
  int combine = -1;                  ///< index of the combine kernel, or -1
  int convert = -1;                  ///< index of the conversion kernel, or -1
  int schedule = -1;                 ///< index of the scheduling kernel, or -1
  int merge = -1;                    ///< index of the merge kernel, or -1
  std::uint64_t identity = 0;        ///< ties plans to this family
};

} // namespace mlac
