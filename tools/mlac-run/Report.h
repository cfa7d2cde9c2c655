// Report: a case's result as a line, as JSON and as CSV.
#pragma once

#include "common/Result.h"
#include "tools/mlac-run/RunCase.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace mlac {

/// "PASS glm5_decode sm_90 T=8 R=4 context=1024 seed=1 glm5_decode_few splits=4 out 1.2e-04 ...",
/// and why it failed.
std::string lineOf(const CaseResult& result);

/// "FAIL NAME ...: the error"
std::string lineOf(const Case& one, const Error& error);

nlohmann::json jsonOf(const Device& device, const CaseResult& result);

/// Registers, spills, stack and shared memory of each kernel, a line each.
std::string resourcesText(const std::vector<KernelReport>& kernels);

std::string csvHeader();
std::string csvOf(const Device& device, const CaseResult& result);

} // namespace mlac
