// Schedule: every choice that turns a variant into one kernel, as a plain printable struct.
#pragma once

#include "common/Result.h"

#include <string>
#include <string_view>
#include <vector>

namespace mlac {

enum class Engine { MmaSync };

/// How KV rows reach shared memory: one bulk copy a row with an mbarrier (sm_90 up), or 16-byte
/// cp.async.
enum class Gather { Bulk, CpAsync };

/// Whether rows that were read will soon be read again, by another CTA or token, from the L2 cache.
/// Rows that will not are the first to leave it.
enum class RowReuse { None, L2 };

/// Where the query fragments live during the key loop.
enum class QueryHome { Registers, Shared };

/// One kernel's schedule. Warps = headGroups * dimSplits * keySlices; a warp works on headTiles * 8
/// heads.
struct Schedule {
  std::string shapeClass; ///< such as "few" or "many": which token counts it is meant for
  Engine engine = Engine::MmaSync;
  int queryGroup = 1; ///< query tokens of a request in one CTA, at most: they share its keys
  int headGroups = 1; ///< groups of heads in one CTA
  int headTiles = 1; ///< tiles of 8 heads in a group: what each fragment of keys is multiplied with
  int dimSplits = 1; ///< warps among which the dims of a group are divided, in QK and in PV
  int keySlices =
      1;          ///< warps among which a head group's tiles are dealt in turn, merged at the end
  int stages = 2; ///< slots of the ring
  int keysPerStage = 16;
  Gather gather = Gather::Bulk;
  RowReuse rowReuse = RowReuse::L2;
  QueryHome queryHome = QueryHome::Registers;
  int mergePasses = 1; ///< rounds in which the accumulators pass through shared memory
  int qkChains = 1;    ///< sums that QK is dealt to, so that a product need not wait for the last
  int ctasPerSm = 1;   ///< what the register budget is cut for

  /// Of a token, where a group's tokens are not counted.
  int groupHeads() const { return headTiles * 8; }

  int ctaHeads() const { return headGroups * groupHeads(); }

  int warps() const { return headGroups * dimSplits * keySlices; }

  int threads() const { return warps() * 32; }

  friend bool operator==(const Schedule&, const Schedule&) = default;
};

/// One line of `key=value` words, in a fixed order: what `--set` takes and what sources are headed
/// by.
std::string printSchedule(const Schedule& schedule);

/// One `--set [class.]key=value`. Without a class it applies to every kernel of the family.
struct ScheduleOverride {
  std::string shapeClass; ///< empty: every class
  std::string key;
  std::string value;
};

/// Parses "stages=4" or "many.stages=4"; the error names the known keys.
Result<ScheduleOverride> parseOverride(std::string_view text);

/// Applies those overrides that name the schedule's class or none. The error names key, value and
/// range.
Status applyOverrides(Schedule& schedule, const std::vector<ScheduleOverride>& overrides);

} // namespace mlac
