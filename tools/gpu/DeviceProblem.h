// DeviceProblem: a verification problem in device memory, and the launch arguments that point at
// it.
#pragma once

#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "tools/gpu/DeviceBuffer.h"
#include "verify/Outputs.h"
#include "verify/Problem.h"

#include <array>
#include <vector>

namespace mlac {

/// Inputs, cache and outputs of one problem. Everything in the cache that no token attends to is
/// NaN, and so is every byte of the outputs until a launch writes it.
class DeviceProblem {
public:
  /// Uploads `problem`, which must outlive the result. The device's context must be current.
  static Result<DeviceProblem> upload(const Device& device, const verify::Problem& problem);

  /// Arguments of a launch, without a workspace; they point into this.
  LaunchArgs launchArgs() const;

  /// Arguments of a conversion that writes [T][topk] slots to `slots` and counts to `counts`.
  ConvertArgs convertArgs(const DeviceBuffer& slots, const DeviceBuffer& counts) const;

  /// Fills the outputs with NaN again.
  Status clearOutputs();

  /// The outputs as they are now; the caller has waited for what writes them.
  Result<verify::Outputs> download() const;

  const verify::Problem& problem() const { return *drawn; }

private:
  explicit DeviceProblem(const verify::Problem& problem) : drawn(&problem) {}

  Status uploadCache(const Device& device);
  Status uploadParams(const Device& device);
  const std::int32_t* ints(verify::Input id) const;
  ConstTensor query(const verify::QueryView& view) const;
  void setQuery(LaunchArgs& args) const;

  const verify::Problem* drawn;
  std::array<DeviceBuffer, verify::kInputCount> inputs;
  std::vector<DeviceBuffer> paramArrays;
  std::vector<ParamArg> params;
  DeviceBuffer cache;
  DeviceBuffer out;
  DeviceBuffer lse;
  DeviceBuffer maxLogit;
};

} // namespace mlac
