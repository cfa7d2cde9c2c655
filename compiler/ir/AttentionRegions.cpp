// The regions of a mla.attention: the language's rules as arith.
#include "compiler/ir/AttentionRegions.h"

#include "common/Variant.h"
#include "compiler/ir/IntervalOfMask.h"
#include "compiler/ir/MlaOps.h"
#include "compiler/ir/RuleRegions.h"
#include "compiler/spec/FoldExpr.h"
#include "compiler/spec/MaskBounds.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlac;
using namespace mlac::mla;
using arith::CmpIPredicate;

namespace {

/// Writes one region: opens its block, offers the few operations that the rules need.
class RegionWriter {
public:
  RegionWriter(Region& region, ArrayRef<Type> arguments)
      : builder(region.getLoc(), region.getContext()) {
    SmallVector<Location> places(arguments.size(), region.getLoc());
    block = builder.createBlock(&region, {}, arguments, places);
  }

  Value argument(int index) const { return block->getArgument(index); }

  Value constant(Type type, int64_t value) {
    return arith::ConstantOp::create(builder, builder.getIntegerAttr(type, value));
  }

  Value compare(CmpIPredicate predicate, Value left, Value right) {
    return arith::CmpIOp::create(builder, predicate, left, right);
  }

  template <typename Op, typename... Args>
  Value make(Args... args) {
    return Op::create(builder, args...);
  }

  Value all(ArrayRef<Value> conditions) {
    Value result = conditions.front();
    for (Value condition : conditions.drop_front())
      result = arith::AndIOp::create(builder, result, condition);
    return result;
  }

  void yield(ValueRange values) { YieldOp::create(builder, values); }

  ImplicitLocOpBuilder& at() { return builder; }

private:
  ImplicitLocOpBuilder builder;
  Block* block = nullptr;
};

/// The types that region signatures are made of.
struct Types {
  explicit Types(MLIRContext* context)
      : i1(IntegerType::get(context, 1)), i32(IntegerType::get(context, 32)),
        i64(IntegerType::get(context, 64)), f32(Float32Type::get(context)),
        table(TableType::get(context)) {}

  Type i1, i32, i64, f32, table;
};

} // namespace

/// What the variant says of positions, but for its mask.
static KeyInterval declaredInterval(RegionWriter& w, const Types& types, const Variant& variant) {
  Value queryPos = w.argument(0);
  Value seqLen = w.argument(1);
  Value keyEnd = w.argument(2);
  Value hasKeyEnd = w.argument(3);
  Value zero = w.constant(types.i32, 0);
  if (!variant.isLogical())
    return {zero, w.constant(types.i32, std::numeric_limits<int32_t>::max())};
  bool endsAtQuery = variant.causal || variant.iterate == IterateKind::Window;
  Value own = endsAtQuery ? w.make<arith::AddIOp>(queryPos, w.constant(types.i32, 1)) : seqLen;
  Value end = w.make<arith::SelectOp>(hasKeyEnd, keyEnd, own);
  if (variant.iterate != IterateKind::Window)
    return {zero, end};
  // The query stands at end - 1 with an explicit keyEnd as well, so both cases see `window` keys.
  Value first = w.make<arith::SubIOp>(end, w.constant(types.i32, variant.window));
  return {w.make<arith::MaxSIOp>(first, zero), end};
}

static void buildInterval(Region& region,
                          const Types& types,
                          const Variant& variant,
                          const MaskBounds& bounds) {
  RegionWriter w(region, {types.i32, types.i32, types.i32, types.i1});
  KeyInterval seen = declaredInterval(w, types, variant);
  if (variant.isLogical())
    seen = tightenInterval(w.at(), bounds, w.argument(0), seen);
  w.yield({seen.begin, seen.end});
}

/// A mask without a rule keeps every key.
static void
buildMask(Region& region, const Types& types, const Variant& variant, const Rule& rule) {
  RegionWriter w(region, {types.i32, types.i32, types.i32, types.i32});
  if (rule.empty())
    return w.yield(w.constant(types.i1, 1));
  w.yield(buildRule(w.at(),
                    rule,
                    variant.params,
                    {Value(), w.argument(0), w.argument(1), w.argument(2), w.argument(3)}));
}

static void buildScore(Region& region, const Types& types, const Variant& variant) {
  RegionWriter w(region, {types.f32, types.i32, types.i32, types.i32, types.i32});
  const Rule rule = settleRule(variant.score, variant.params);
  if (rule.empty())
    return w.yield(w.argument(0));
  w.yield(buildRule(w.at(),
                    rule,
                    variant.params,
                    {w.argument(0), w.argument(1), w.argument(2), w.argument(3), w.argument(4)}));
}

static void buildLogicalSlots(RegionWriter& w, const Types& types, const Variant& variant) {
  Value entry = w.argument(0);
  Value page = w.constant(types.i32, variant.page);
  // Unsigned: a power of two becomes a shift, and a negative entry is invalid by `begin` anyway.
  Value pageIndex = w.make<arith::DivUIOp>(entry, page);
  Value inPage = w.make<arith::RemUIOp>(entry, page);
  Value block = w.make<LookupOp>(w.argument(4), pageIndex);
  Value wideBlock = w.make<arith::ExtSIOp>(types.i64, block);
  Value base = w.make<arith::MulIOp>(wideBlock, w.constant(types.i64, variant.page));
  Value slot = w.make<arith::AddIOp>(base, w.make<arith::ExtUIOp>(types.i64, inPage));
  Value valid = w.all({w.compare(CmpIPredicate::sge, entry, w.argument(1)),
                       w.compare(CmpIPredicate::slt, entry, w.argument(2)),
                       w.compare(CmpIPredicate::sge, block, w.constant(types.i32, 0)),
                       w.compare(CmpIPredicate::slt, slot, w.argument(3))});
  w.yield({entry, slot, valid});
}

static void buildPhysicalSlots(RegionWriter& w, const Types& types) {
  Value slot = w.make<arith::ExtSIOp>(types.i64, w.argument(0));
  Value valid = w.all({w.compare(CmpIPredicate::sge, slot, w.constant(types.i64, 0)),
                       w.compare(CmpIPredicate::slt, slot, w.argument(3))});
  w.yield({w.constant(types.i32, -1), slot, valid});
}

void mla::buildRegions(AttentionOp op, const Variant& variant) {
  Types types(op.getContext());
  const MaskBounds bounds = boundsOfMask(settleRule(variant.mask, variant.params));
  buildInterval(op.getInterval(), types, variant, bounds);

  RegionWriter slots(op.getSlots(), {types.i32, types.i32, types.i32, types.i64, types.table});
  if (variant.isLogical())
    buildLogicalSlots(slots, types, variant);
  else
    buildPhysicalSlots(slots, types);

  buildMask(op.getMask(), types, variant, bounds.rest);
  buildScore(op.getScore(), types, variant);
}
