// The tile program of an attention kernel as CUDA C++: one call into the tile library for each
// operation.
#include "compiler/codegen/Emit.h"
#include "compiler/codegen/ParamLayout.h"
#include "compiler/codegen/ShapeText.h"
#include "compiler/codegen/SourceHead.h"
#include "compiler/codegen/SourceWriter.h"
#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"
#include "compiler/ir/ScheduleAttr.h"
#include "compiler/schedule/SmemLayout.h"
#include "templates/Flatten.h"

#include "llvm/ADT/TypeSwitch.h"

#include <fmt/format.h>

namespace mlac {
namespace {

using namespace mla;

/// Everything the printing of one kernel refers to.
struct Context {
  SourceWriter& out;
  AttentionOp attention;
  const Variant& variant;
  const Schedule& schedule;
  bool combineStartsEarly;

  bool hasScore() { return !attention.isIdentityScore(); }

  bool hasMask() { return !attention.isTrivialMask(); }

  /// Each index leads to an entry of the block table.
  bool looksUpIndices() const { return variant.iterate == IterateKind::TopkLogical; }

  /// Tokens of a request share its keys, each with its own sight of them.
  bool isGrouped() const { return schedule.queryGroup > 1; }

  /// What a rule is passed beside its own arguments.
  const char* argsOf(mlir::Region& rule) { return attention.readsParams(rule) ? ", args" : ""; }

  /// A scale that may be 0 or less would turn the -inf of a key that is taken out into NaN or +inf,
  /// so it comes before that; any other comes with the softmax.
  bool scalesFirst() { return !hasScore() && (!variant.scale || *variant.scale <= 0); }

  /// Rules on single keys need each key's position.
  bool perKey() { return !attention.isIdentityScore() || !attention.isTrivialMask(); }
};

/// `scale` turns what qk leaves into what softmax takes, units of log 2. With a score rule in
/// between, qk's result is scaled before it and softmax only changes the base.
void writeScale(Context& c) {
  const std::string value = c.variant.scale
                                ? fmt::format("{:.9g}f", *c.variant.scale)
                                : "args.scaleDevice != nullptr ? *args.scaleDevice : args.scale";
  std::string literal = value;
  if (c.variant.scale && literal.find_first_of(".e") == std::string::npos)
    literal.insert(literal.size() - 1, ".0");
  if (c.hasScore()) {
    c.out.line(fmt::format("const float scale = {};", literal));
    c.out.line("const float toLog2 = kLog2E;");
  } else if (c.variant.scale) {
    c.out.line(fmt::format("const float toLog2 = {} * kLog2E;", literal));
  } else {
    c.out.line(fmt::format("const float toLog2 = ({}) * kLog2E;", literal));
  }
}

void writeRule(Context& c, const char* parameter, const std::string& body) {
  c.out.open(
      fmt::format("scores = transform<Shape>(scores, stage, role, work, rows, [&](float {}, const "
                  "ScorePlace& at)",
                  parameter));
  c.out.line(body);
  c.out.close(");");
}

void writeMask(Context& c) {
  if (c.scalesFirst())
    c.out.line("scores = scaled<Shape>(scores, toLog2);");
  c.out.line("scores = dropInvalid<Shape>(scores, stage, role);");
  if (c.isGrouped()) {
    c.out.line("const bool allSee = sights.seeAll(firstTile + tile);");
    c.out.open("if (!allSee)");
    c.out.line("scores = dropUnseen<Shape>(scores, sights, firstTile + tile, role);");
    c.out.close();
  }
  if (c.hasMask())
    writeRule(
        c,
        "s",
        fmt::format("return Rules::mask(at.head, at.queryPosition, at.position, at.token{}) ? "
                    "s : negativeInfinity();",
                    c.argsOf(c.attention.getMask())));
}

void writeTilePart(Context& c, mlir::Operation& op) {
  llvm::TypeSwitch<mlir::Operation*>(&op)
      .Case([&](ResolveOp resolve) {
        c.out.line(fmt::format("const i32 later = tile + {};", resolve.getAhead()));
      })
      .Case([&](WaitOp) { c.out.line("const Stage stage = ring.wait(tile);"); })
      .Case([&](QkOp) { c.out.line("Scores<Shape> scores = qk<Shape>(queries, stage, role);"); })
      .Case([&](SumSharesOp) {
        c.out.line("scores = sumShares<Shape>(scores, shared, tile / "
                   "Shape::kKeySlices, role);");
      })
      .Case([&](ScoreOp) {
        writeRule(
            c,
            "s",
            fmt::format("return Rules::score(s * scale, at.head, at.queryPosition, at.position, "
                        "at.token{});",
                        c.argsOf(c.attention.getScore())));
      })
      .Case([&](MaskOp) { writeMask(c); })
      .Case([&](SoftmaxOp) {
        c.out.line(fmt::format("const Probs<Shape> probs = softmax<Shape>(scores, {}, acc);",
                               c.scalesFirst() ? "1.0f" : "toLog2"));
      })
      .Case([&](PvOp) {
        c.out.line(c.isGrouped() ? "pvSeen(probs, stage, allSee, acc, role);"
                                 : "pv(probs, stage, acc, role);");
      })
      .Case([&](ReleaseOp) { // opens what the slot's one refill closes
        c.out.open("if (later < tiles)");
        c.out.line("ring.release(stage, tile);");
      })
      .Case([&](RefillOp) {
        c.out.line("window.gather(ring, tile / Shape::kKeySlices, firstTile, later);");
        c.out.close();
      })
      .Case([](YieldOp) {})
      .Default([](mlir::Operation*) {
        llvm_unreachable("the kernel's verifier admits no other operation here");
      });
}

void writeLoop(Context& c, TilesOp tiles) {
  c.out.line("auto window = RowWindow<Shape, decltype(rows)>::startingAt(rows, ring, firstTile + "
             "role.slice + Shape::kStages);");
  c.out.line();
  c.out.open("for (i32 tile = role.slice; tile < tiles; tile += Shape::kKeySlices)");
  for (mlir::Operation& op : *tiles.getBody())
    writeTilePart(c, op);
  c.out.close();
  c.out.line();
}

/// The ring, and the loads that everything else waits for: the first indices come before the search
/// for the token's request, which only their look-up needs.
void writeRing(Context& c) {
  c.out.line("const auto ring = Ring<Shape>::at(shared, args.cache, kZeroRow, role);");
  c.out.line("auto first = FirstRows<Shape>::peek(ring, rows, firstTile, role.slice);");
  if (c.looksUpIndices()) {
    c.out.line("rows.findRequest();");
    c.out.line("rows.prefetchTable();");
  }
  if (c.isGrouped())
    c.out.line("const auto sights = TokenSights<Shape>::of(rows, work, role);");
}

void writeKernelPart(Context& c, mlir::Operation& op) {
  llvm::TypeSwitch<mlir::Operation*>(&op)
      .Case([&](RingOp) { writeRing(c); })
      .Case([&](LoadQueriesOp load) {
        const bool shared = load.getHome() == QueryHomeKind::Shared;
        c.out.line(shared ? "SharedQueries<Shape> queries;" : "RegisterQueries<Shape> queries;");
        c.out.line(shared ? "queries.load(args, work, role, shared);"
                          : "queries.load(args, work, role);");
      })
      .Case([&](InitOp) {
        c.out.line("Accumulator<Shape> acc;");
        c.out.line("acc.clear();");
      })
      .Case([&](FillOp) { c.out.line("fill(ring, rows, first, firstTile, tiles, role.slice);"); })
      .Case([&](TilesOp tiles) { writeLoop(c, tiles); })
      .Case([](MergeOp) {}) // the store below brings the slices together on its way out
      .Case([&](StoreOp) {
        if (c.combineStartsEarly)
          c.out.line("allowNextGrid(); // the combine, which waits for this grid's end");
        c.out.line("mergeAndStore(acc, smem, shared, role, Sink<Shape, Args>{args, work});");
      })
      .Default([](mlir::Operation*) {
        llvm_unreachable("the kernel's verifier admits no other operation here");
      });
}

void writePrologue(Context& c) {
  c.out.line("extern __shared__ __align__(128) u8 smem[];");
  c.out.line("const u32 shared = sharedAddress(smem);");
  c.out.line("const auto role = WarpRole<Shape>::here();");
  c.out.line("const auto work = Work<Shape>::mine(args);");
  c.out.open("if (work.token < 0)");
  c.out.line("return;");
  c.out.close();
  c.out.line(fmt::format("{} rows = KeyRows<Shape, Rules, Args>::of(args, work.token{});",
                         c.looksUpIndices() ? "auto" : "const auto",
                         c.isGrouped() ? ", work.tokens" : ""));
  c.out.line("const auto [firstTile, tiles] = work.tiles(args, rows.tiles());");
  writeScale(c);
  c.out.line();
}

void writeKernel(Context& c, KernelOp kernel) {
  c.out.line("/// Copied in the place of keys that do not exist, so that no stale value can reach "
             "the arithmetic.");
  c.out.line(
      fmt::format("__device__ const uint4 kZeroRow[{}] = {{}};", c.variant.recordBytes() / 16));
  c.out.line();
  c.out.open(fmt::format("extern \"C\" __global__ void __launch_bounds__({}, {}) {}(const "
                         "__grid_constant__ Args args)",
                         c.schedule.threads(),
                         c.schedule.ctasPerSm,
                         kernel.getSymName().str()));
  writePrologue(c);
  for (mlir::Operation& op : kernel.getBodyRegion().front())
    writeKernelPart(c, op);
  c.out.close();
}

const char* iterationWords(IterateKind iterate) {
  switch (iterate) {
  case IterateKind::Dense:
    return "dense";
  case IterateKind::Window:
    return "window";
  case IterateKind::TopkLogical:
    return "top-k (logical)";
  case IterateKind::TopkPhysical:
    return "top-k (physical)";
  }
  llvm_unreachable("every kind of iteration has words");
}

std::vector<std::string_view> headersOf(const Schedule& schedule) {
  std::vector<std::string_view> headers = {"ptx/grid_dependency.cuh",
                                           "tile/accumulator.cuh",
                                           "tile/key_rows.cuh",
                                           "tile/merge.cuh",
                                           "tile/queries.cuh",
                                           "tile/ring.cuh",
                                           "tile/scores.cuh",
                                           "tile/sink.cuh"};
  if (schedule.queryGroup > 1)
    headers.emplace_back("tile/token_sights.cuh");
  headers.emplace_back("tile/work.cuh");
  return headers;
}

std::string purposeOf(const Variant& variant, const Schedule& schedule) {
  const std::string tokens = schedule.queryGroup > 1
                                 ? fmt::format("groups of up to {} tokens", schedule.queryGroup)
                                 : fmt::format("{} tokens", schedule.shapeClass);
  return fmt::format("{}, {}: latent attention of {} heads over {} + {} dims, {}.",
                     variant.name,
                     tokens,
                     variant.heads,
                     variant.latent,
                     variant.rope,
                     iterationWords(variant.iterate));
}

} // namespace

Result<Kernel> emitAttention(KernelOp op, const Provenance& provenance) {
  const Variant variant = variantOf(op.attention());
  const Schedule schedule = fromAttr(op.getSchedule());
  SourceWriter out;
  Context c{out, op.attention(), variant, schedule, provenance.hasGridDependency};
  writeHead(
      out, purposeOf(variant, schedule), provenance, printSchedule(schedule), headersOf(schedule));
  writeArgs(out, variant, KernelRole::Attention);
  out.line();
  writeAttentionShape(out, variant, schedule, c.perKey());
  out.line();
  MLAC_CHECK(writeRules(out, op.attention(), true));
  writeKernel(c, op);

  const ParamLayout params = layoutParams(variant, KernelRole::Attention);
  Kernel kernel;
  kernel.role = KernelRole::Attention;
  kernel.entry = op.getSymName().str();
  kernel.source = out.take();
  kernel.schedule = printSchedule(schedule);
  kernel.params = params.fields;
  kernel.paramBytes = params.bytes;
  kernel.threads = schedule.threads();
  kernel.dynamicSmemBytes = layoutSmem(variant, schedule, c.perKey()).totalBytes;
  kernel.ctasPerToken = headCtas(variant, schedule);
  kernel.queryGroup = schedule.queryGroup;
  kernel.keysPerTile = schedule.keysPerStage;
  return kernel;
}

} // namespace mlac
