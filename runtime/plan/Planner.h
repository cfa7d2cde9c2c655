// Planner: which kernel, in how many splits, for a size. A pure function of the family's table.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "mlac/mlac.hpp"

#include <cstddef>
#include <cstdint>

namespace mlac {

/// How tokens find their requests: as many each, by queryStart, or each by its own number.
enum class RequestTable { Uniform, QueryStart, TokenRequest };

/// Largest grid.x; every launch uses only x.
inline constexpr std::int64_t kMaxGridCtas = 2147483647;

/// Slots that the partial results of a launch take, one a split: nothing for rows in one piece.
/// `parts` > 0: of a balanced batch, in which P - 1 boundaries cut at most as many rows.
std::int64_t partialSlots(std::int64_t tokens, int splits, int parts);

/// Bytes of the schedule of a balanced batch: templates/mlac/tile/work_list.cuh.
std::size_t scheduleBytes(std::int64_t tokens, int parts);

/// Where the partial results of a split launch lie in the workspace; offsets in bytes, each
/// 256-byte aligned.
struct WorkspaceLayout {
  std::size_t partialOutOffset = 0;
  std::size_t partialLseOffset = 0;
  std::size_t partialMaxOffset = 0; ///< meaningful with max_logit only
  std::size_t bytes = 0;            ///< 0 without slots
};

WorkspaceLayout workspaceLayout(const Variant& variant, std::int64_t slots);

/// Tokens of a batch, and how they find their requests.
struct TokenBatch {
  std::int64_t tokens = 0;
  std::int64_t requests = 0;
  RequestTable table = RequestTable::Uniform;
};

/// Units of an attention launch: tokens, or groups of them of one request each. With queryStart
/// more numbers than groups, as the kernel must find a number's group without a sum over all
/// requests (templates/mlac/tile/query_group.cuh).
std::int64_t gridUnits(const Kernel& kernel, const TokenBatch& batch);

/// CTAs of an attention launch: one a split or piece for each of the kernel's CTAs a unit. Those
/// that a balanced batch has too many end at once.
std::int64_t gridCtas(const Kernel& kernel, std::int64_t units, int splits, int parts);

/// CTAs of a combine over `tiles` of 16 dims by 8 heads of a token: one a tile where there are few,
/// else up to eight tiles each, one a warp. The kernel finds that out from its grid.
std::int64_t combineCtas(std::int64_t tiles);

/// Keys of the longest row that this size can have.
std::int64_t keysPerRow(const Variant& variant, std::int64_t maxSeqLen);

/// Nanoseconds the table expects of one row of it, at `splits`, were all requests of as many
/// tokens and keys. PlanRow documents the formula.
double predictNs(
    const KernelFamily& family, const PlanRow& row, int sms, const PlanShape& shape, int splits);

/// The same of a balanced batch in `parts`.
double predictBalancedNs(
    const KernelFamily& family, const PlanRow& row, int sms, const PlanShape& shape, int parts);

/// The cheapest row and split count on a GPU of `sms` multiprocessors; the earlier and smaller
/// where two cost the same. InvalidArgument for negative counts and for sizes whose grid no GPU
/// takes. Zero tokens give an empty plan.
Result<Plan> planLaunch(const KernelFamily& family, int sms, const PlanShape& shape);

} // namespace mlac
