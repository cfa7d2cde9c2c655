// DriverApi: the few types, constants and entries of CUDA's driver interface that mlac uses.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mlac {

struct CudaContextTag;
struct CudaModuleTag;
struct CudaFunctionTag;
struct CudaStreamTag;
struct CudaEventTag;
struct CudaGraphTag;
struct CudaGraphExecTag;

using CUresult = int;
using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = CudaContextTag*;
using CUmodule = CudaModuleTag*;
using CUfunction = CudaFunctionTag*;
using CUstream = CudaStreamTag*;
using CUevent = CudaEventTag*;
using CUgraph = CudaGraphTag*;
using CUgraphExec = CudaGraphExecTag*;

constexpr CUresult kCudaSuccess = 0;
constexpr CUresult kCudaNotInitialized = 3;
constexpr CUresult kCudaNoDevice = 100;
constexpr CUresult kCudaInvalidDevice = 101;

// CUdevice_attribute
constexpr int kAttributeSms = 16;
constexpr int kAttributeL2Bytes = 38;
constexpr int kAttributeComputeMajor = 75;
constexpr int kAttributeComputeMinor = 76;
constexpr int kAttributeSmemPerCtaOptin = 97;

// CUfunction_attribute
constexpr int kFunctionStaticSmemBytes = 1;
constexpr int kFunctionLocalBytes = 3;
constexpr int kFunctionRegisters = 4;
constexpr int kFunctionMaxDynamicSmemBytes = 8;
constexpr int kFunctionSmemCarveout = 9; ///< percent of what an SM divides between it and L1

// CUstreamCaptureMode
constexpr int kCaptureThreadLocal = 1;
constexpr int kCaptureRelaxed = 2;

// CUlaunchAttributeID
constexpr int kLaunchStartsEarly = 6; ///< CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION

/// CUlaunchAttribute, with the one kind of value that is used.
struct CUlaunchAttribute {
  int id = 0;
  char padding[4] = {};

  union {
    char bytes[64] = {};
    int enabled;
  } value;
};

/// CUlaunchConfig
struct CUlaunchConfig {
  unsigned gridX = 1;
  unsigned gridY = 1;
  unsigned gridZ = 1;
  unsigned blockX = 1;
  unsigned blockY = 1;
  unsigned blockZ = 1;
  unsigned dynamicSmemBytes = 0;
  CUstream stream = nullptr;
  CUlaunchAttribute* attributes = nullptr;
  unsigned attributeCount = 0;
};

/// Function pointers, one for each line of DriverEntries.def.
struct DriverApi {
#define MLAC_DRIVER_ENTRY(name, symbol, params) CUresult(*name) params = nullptr;
#include "runtime/cuda/DriverEntries.def"
};

} // namespace mlac
