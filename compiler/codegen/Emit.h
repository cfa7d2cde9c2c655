// Emit: kernels as CUDA C++ that includes the tile library.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "common/Target.h"

#include <string>

namespace mlac {

namespace mla {
class AttentionOp;
class KernelOp;
} // namespace mla

/// What heads every source, so that it can be made again.
struct Provenance {
  std::string specText;
  std::string target;
  std::string templateDigest;
  bool hasGridDependency = false; ///< the target has griddepcontrol: the combine starts early
};

/// The source of a built mla.kernel: its tile program as a loop of calls. Unsupported where a rule
/// has no words in CUDA.
Result<Kernel> emitAttention(mla::KernelOp kernel, const Provenance& provenance);

/// The kernel that joins the partial results of split rows.
Kernel emitCombine(const Variant& variant, const Provenance& provenance);

/// The kernel that turns logical indices into slots; only for `iterate topk N logical`.
Result<Kernel> emitConvert(mla::AttentionOp attention, const Provenance& provenance);

/// The kernel that cuts a batch of rows of different lengths into pieces.
Result<Kernel> emitSchedule(mla::AttentionOp attention, const Provenance& provenance);

/// The kernel that joins results of the same rows over different keys, which launches of their own
/// wrote; only where the variant has an LSE.
Kernel emitMerge(const Variant& variant, const Provenance& provenance);

} // namespace mlac
