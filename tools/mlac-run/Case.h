// Case: one launch to try, as the command line or a suite file describes it.
#pragma once

#include "common/Result.h"
#include "common/Variant.h"
#include "tools/gpu/RunOnGpu.h"
#include "verify/Problem.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <string>
#include <vector>

namespace mlac {

struct Case {
  std::string bundle;
  std::string family; ///< empty: the bundle's only one
  GpuRunOptions gpu;
  int referenceTokens =
      0;              ///< tokens compared with the reference; 0: as many as a few seconds allow
  bool merge = false; ///< try the merge kernel too, where the family has one
  bool bench = false;
  int iterations = 20; ///< timed graph launches

  /// What the problem is drawn from, kept as written until the variant is known; see
  /// problemOptionsOf.
  std::shared_ptr<const nlohmann::json> problem;
};

/// A case from a JSON object. InvalidInput names an unknown key or a wrong value; `where` names the
/// place.
Result<Case> caseFromJson(const nlohmann::json& object, const std::string& where);

/// The cases of a suite file: a list of objects, or {"defaults": object, "cases": list}. Bundle
/// paths are relative to the file's folder.
Result<std::vector<Case>> readSuite(const std::string& path);

/// The options of the case's problem: those written, over plain ones or, with "stress", over the
/// hardest.
Result<verify::ProblemOptions> problemOptionsOf(const Case& one, const Variant& variant);

} // namespace mlac
