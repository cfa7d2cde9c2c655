// Compiler: the whole street from a checked variant to the hand-over, and the texts along the way.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "common/Target.h"
#include "common/Variant.h"
#include "compiler/schedule/Schedule.h"

#include <string>
#include <vector>

namespace mlac {

struct CompileRequest {
  Variant variant;
  const Target* target = nullptr;
  std::vector<ScheduleOverride> overrides;
};

/// What the stages leave, as text.
struct StageTexts {
  std::string schedule; ///< the module with its tile programs
};

/// A family with flattened sources, and, where asked for, the stages' texts and the sources as
/// people read them.
struct Compiled {
  KernelFamily family;
  StageTexts stages;
  std::vector<std::string> sources; ///< by kernel, with `#include`s of templates
};

/// Runs every stage. Thread-safe; each call has an MLIR context of its own. Deterministic to the
/// byte. Unsupported as checkCudaReads says; InvalidInput where no schedule fits the target or an
/// override is impossible; the message names limit, value and remedy.
Result<Compiled> compileFamily(const CompileRequest& request);

/// mla.attention of a variant as text, after folding. For any record.
Result<std::string> attentionText(const Variant& variant);

/// Refuses records that the CUDA backend cannot read yet: Unsupported.
Status checkCudaReads(const Variant& variant);

/// Identifies the compiler: its version and the digest of the templates.
std::string compilerBuild();

} // namespace mlac
