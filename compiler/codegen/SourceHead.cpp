#include "compiler/codegen/SourceHead.h"

#include "compiler/codegen/RegionPrinter.h"
#include "compiler/codegen/SourceWriter.h"
#include "compiler/ir/MlaOps.h"

#include <fmt/format.h>

namespace mlac {

void writeHead(SourceWriter& out,
               std::string_view purpose,
               const Provenance& provenance,
               std::string_view schedule,
               const std::vector<std::string_view>& includes) {
  out.line(fmt::format("// {}", purpose));
  out.line("//");
  out.lines(provenance.specText, "//   ");
  out.line("//");
  out.line(fmt::format("// target    {}", provenance.target));
  if (!schedule.empty())
    out.line(fmt::format("// schedule  {}", schedule));
  out.line(fmt::format("// templates {}", provenance.templateDigest));
  for (std::string_view include : includes)
    out.line(fmt::format("#include \"mlac/{}\"", include));
  out.line();
  out.line("using namespace mlac;");
  out.line();
}

/// Rules that read parameters take the launch's arguments as well.
static constexpr const char* kArgs = ", const Args& args";

Status writeRules(SourceWriter& out, mla::AttentionOp attention, bool perKey) {
  out.line("/// The variant's rules: which positions a token sees, and where an entry of its "
           "iteration lies.");
  out.open("struct Rules");
  if (attention.isLogical()) {
    out.open("static __device__ __forceinline__ Interval interval(i32 queryPos, i32 seqLen, i32 "
             "keyEnd, bool hasKeyEnd)");
    MLAC_CHECK(printRegion(out,
                           attention.getInterval(),
                           {"queryPos", "seqLen", "keyEnd", "hasKeyEnd"},
                           {"begin", "end"}));
    out.close();
    out.line();
  }
  out.line("template <class Table>");
  out.open("static __device__ __forceinline__ KeySlot "
           "slots(i32 entry, i32 begin, i32 end, i64 slotCount, const Table& table)");
  MLAC_CHECK(printRegion(out,
                         attention.getSlots(),
                         {"entry", "begin", "end", "slotCount", "table"},
                         {"position", "slot", "valid"}));
  out.close();
  if (perKey && !attention.isTrivialMask()) {
    out.line();
    out.open(
        fmt::format("static __device__ __forceinline__ bool mask(i32 h, i32 q, i32 k, i32 t{})",
                    attention.readsParams(attention.getMask()) ? kArgs : ""));
    MLAC_CHECK(printRegion(out, attention.getMask(), {"h", "q", "k", "t"}, {"keep"}));
    out.close();
  }
  if (perKey && !attention.isIdentityScore()) {
    out.line();
    out.open(fmt::format(
        "static __device__ __forceinline__ float score(float s, i32 h, i32 q, i32 k, i32 t{})",
        attention.readsParams(attention.getScore()) ? kArgs : ""));
    MLAC_CHECK(printRegion(out, attention.getScore(), {"s", "h", "q", "k", "t"}, {"score"}));
    out.close();
  }
  out.close(";");
  out.line();
  return Unit{};
}

} // namespace mlac
