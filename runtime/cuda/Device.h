// Device: what stands behind the public handle, and the capture-mode guard that loading needs.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "runtime/cuda/DriverApi.h"

#include <memory>
#include <string>

namespace mlac {

struct Device::Impl {
  const DriverApi* api = nullptr;
  CUcontext context = nullptr;
  CUdevice device = 0;
  bool retainedPrimary = false;
  std::string name;
  int sms = 0;
  int computeMajor = 0;
  int computeMinor = 0;
  int l2Bytes = 0;
  int smemPerCtaOptinBytes = 0;
  std::string targetName;

  Impl() = default;
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  ~Impl();
};

/// Success while `device`'s context is current in this thread; InvalidArgument otherwise.
Status checkContextIsCurrent(const Device::Impl& device);

/// While it lives, calls of this thread that another thread's global-mode capture would forbid are
/// allowed, and do not invalidate that capture.
class RelaxedCaptureMode {
public:
  explicit RelaxedCaptureMode(const DriverApi& api);
  RelaxedCaptureMode(const RelaxedCaptureMode&) = delete;
  RelaxedCaptureMode& operator=(const RelaxedCaptureMode&) = delete;
  ~RelaxedCaptureMode();

private:
  const DriverApi& api;
  int mode;
};

} // namespace mlac
