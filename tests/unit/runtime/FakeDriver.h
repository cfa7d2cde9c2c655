// FakeDriver: a CUDA driver of one GPU that records calls instead of making them.
#pragma once

#include "runtime/cuda/Driver.h"
#include "runtime/launch/Params.h"

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace mlac::test {

struct RecordedLaunch {
  std::string entry;
  unsigned gridX = 0;
  unsigned gridY = 0;
  unsigned gridZ = 0;
  unsigned threads = 0;
  unsigned dynamicSmemBytes = 0;
  CUstream stream = nullptr;
  bool startsEarly = false;
  std::vector<std::byte> params;

  /// The value at a byte of the parameter struct.
  template <typename T>
  T at(std::uint32_t offset) const {
    T value;
    std::memcpy(&value, params.data() + offset, sizeof value);
    return value;
  }
};

/// What the fake GPU is like, and what was done to it. `calls` counts each driver entry by name.
struct FakeDriverState {
  std::string deviceName = "Fake GPU";
  int sms = 132;
  int computeMajor = 9;
  int computeMinor = 0;
  int l2Bytes = 50 << 20;
  int smemPerCtaOptinBytes = 232448;
  int staticSmemBytes = 0;
  bool contextIsCurrent = true;
  int failLoadsAfter = -1; ///< module loads that succeed before one fails; -1: all
  CUresult launchResult = kCudaSuccess;
  std::map<std::string, int> calls;
  std::map<std::string, int> dynamicSmemSet;
  std::map<std::string, int> smemCarveoutSet;
  std::vector<std::string> loadedImages;
  std::vector<RecordedLaunch> launches;
  int loadedModules = 0;
};

/// Stands in for the process's driver while it lives. One at a time.
class FakeDriver {
public:
  FakeDriver();
  FakeDriver(const FakeDriver&) = delete;
  FakeDriver& operator=(const FakeDriver&) = delete;
  ~FakeDriver();

  FakeDriverState& operator*();
  FakeDriverState* operator->();

private:
  Driver driver;
};

} // namespace mlac::test
