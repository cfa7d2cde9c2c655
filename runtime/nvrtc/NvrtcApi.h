// NvrtcApi: the few types of NVRTC's C interface that mlac uses, and its table of entries.
#pragma once

#include <cstddef>

namespace mlac {

struct NvrtcProgramTag;
using NvrtcProgram = NvrtcProgramTag*;

/// nvrtcResult in NVRTC's header; 0 is success. NvrtcStatus.cpp puts it into words.
using NvrtcResult = int;

/// Function pointers, one for each line of NvrtcEntries.def.
struct NvrtcApi {
#define MLAC_NVRTC_ENTRY(name, params) NvrtcResult(*name) params = nullptr;
#include "runtime/nvrtc/NvrtcEntries.def"
  const char* (*nvrtcGetErrorString)(NvrtcResult code) = nullptr;
};

} // namespace mlac
