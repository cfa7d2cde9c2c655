#include "compiler/codegen/ShapeText.h"

#include "compiler/codegen/SourceWriter.h"
#include "compiler/schedule/SmemLayout.h"

#include <fmt/format.h>

namespace mlac {
namespace {

void number(SourceWriter& out, const char* name, int value, const char* comment = "") {
  out.line(fmt::format(
      "static constexpr i32 {} = {};{}{}", name, value, *comment != '\0' ? " ///< " : "", comment));
}

void flag(SourceWriter& out, const char* name, bool value, const char* comment = "") {
  out.line(fmt::format("static constexpr bool {} = {};{}{}",
                       name,
                       value,
                       *comment != '\0' ? " ///< " : "",
                       comment));
}

void writeOutputs(SourceWriter& out, const Variant& variant) {
  out.line(fmt::format("using Store = {};",
                       variant.output == ElementType::BF16  ? "StoreBf16"
                       : variant.output == ElementType::F16 ? "StoreF16"
                                                            : "StoreF32"));
  number(out, "kHeads", variant.heads);
  number(out, "kValueDims", variant.valueDims());
  flag(out, "kLse", variant.lse != LseMode::None);
  flag(out, "kLseBase2", variant.lse == LseMode::Base2);
  flag(out, "kEmptyLsePositive", variant.emptyLsePositive);
  flag(out, "kMaxLogit", variant.maxLogit);
}

void writeIteration(SourceWriter& out, const Variant& variant) {
  number(out, "kPage", variant.page, "tokens");
  number(out, "kTopk", variant.topk, "entries of an index row; 0 where positions are walked");
  flag(out, "kLogical", variant.isLogical(), "entries are positions of the token's request");
}

void writeSmemMap(SourceWriter& out,
                  const Variant& variant,
                  const Schedule& schedule,
                  bool positions) {
  const SmemLayout layout = layoutSmem(variant, schedule, positions);
  out.line();
  out.line(
      fmt::format("// Shared memory, {} bytes: the ring's slots first, then", layout.totalBytes));
  number(out, "kRowBytes", layout.rowBytes);
  number(out,
         "kRowStrideBytes",
         layout.rowStrideBytes,
         "an odd multiple of 16: ldmatrix without bank conflicts");
  number(out, "kSlotBytes", layout.slotBytes);
  number(out, "kFullAt", layout.fullAt);
  number(out, "kEmptyAt", layout.emptyAt);
  number(out, "kAbsentAt", layout.absentAt);
  number(out, "kPositionsAt", layout.positionsAt);
  number(out, "kStatsAt", layout.statsAt);
  number(out, "kSharesAt", layout.sharesAt);
  number(out, "kQueriesAt", layout.queriesAt);
}

} // namespace

void writeAttentionShape(SourceWriter& out,
                         const Variant& variant,
                         const Schedule& schedule,
                         bool positions) {
  out.line("/// The variant and its schedule.");
  out.open("struct Shape");
  out.line(fmt::format("using Element = {};",
                       variant.cacheElement() == ElementType::F16 ? "F16" : "Bf16"));
  number(out, "kLatent", variant.latent);
  number(out, "kRope", variant.rope);
  writeOutputs(out, variant);
  writeIteration(out, variant);
  out.line();
  number(out, "kHeadGroups", schedule.headGroups, "in one CTA");
  number(out, "kHeadTiles", schedule.headTiles, "of 8 heads, in one group");
  number(out, "kQueryGroup", schedule.queryGroup, "tokens of a request in one CTA, at most");
  number(out, "kHeadCtas", headCtas(variant, schedule), "CTAs that share a group's heads");
  number(out, "kDimSplits", schedule.dimSplits, "warps that share a head group's dims");
  number(out, "kKeySlices", schedule.keySlices, "warps that share a head group's tiles");
  number(out, "kThreads", schedule.threads());
  number(out, "kStages", schedule.stages);
  number(out, "kFullBarriers", fullBarriers(schedule), "a multiple of stages and key slices");
  number(out, "kMergePasses", schedule.mergePasses);
  number(out, "kQkChains", schedule.qkChains, "sums that QK is dealt to");
  flag(out, "kBulk", schedule.gather == Gather::Bulk, "one bulk copy a row, else 16 bytes a lane");
  flag(out, "kRowsReused", schedule.rowReuse == RowReuse::L2, "soon, from the L2 cache");
  flag(out, "kNeedsPositions", positions);
  writeSmemMap(out, variant, schedule, positions);
  out.close(";");
}

void writeCombineShape(SourceWriter& out, const Variant& variant, int threads, bool startsEarly) {
  out.line("/// The variant's outputs.");
  out.open("struct Shape");
  writeOutputs(out, variant);
  number(out, "kThreads", threads);
  flag(out, "kStartsEarly", startsEarly, "before the attention kernel has ended");
  out.close(";");
}

void writeConvertShape(SourceWriter& out, const Variant& variant, int threads) {
  out.line("/// The variant's iteration.");
  out.open("struct Shape");
  writeIteration(out, variant);
  number(out, "kThreads", threads);
  out.close(";");
}

void writeScheduleShape(SourceWriter& out, const Variant& variant, int threads) {
  out.line("/// The variant's iteration.");
  out.open("struct Shape");
  number(out, "kTopk", variant.topk, "entries of an index row; 0 where positions are walked");
  number(out, "kThreads", threads);
  out.close(";");
}

void writeMergeShape(SourceWriter& out, const Variant& variant, const MergeWarps& warps) {
  out.line("/// The variant's outputs.");
  out.open("struct Shape");
  writeOutputs(out, variant);
  number(out, "kRows", warps.rows, "heads of one token, in one CTA");
  number(out, "kRowWarps", warps.rowWarps, "warps that share a row's dims");
  number(out, "kThreads", warps.threads());
  out.close(";");
}

} // namespace mlac
