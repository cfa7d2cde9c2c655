#include "compiler/cpu/RegionInliner.h"

#include "compiler/cpu/CpuArgs.h"
#include "compiler/ir/MlaOps.h"

#include "mlir/IR/IRMapping.h"

#include <cassert>
#include <cstddef>

using namespace mlir;

namespace mlac {
namespace {

/// -1 outside the row; the unsigned comparison catches negative pages too.
Value buildLookup(LoopBuilder& b, Value page, const TableRow& table) {
  assert(table.base && "mla.lookup in a region that was given no table");
  Value wide = b.widen(page);
  return b.choose(
      b.compare(arith::CmpIPredicate::ult, wide, table.maxPages),
      [&] { return Values{b.load(b.getI32Type(), table.base, wide)}; },
      [&] { return Values{b.i32(-1)}; })[0];
}

Value buildParam(LoopBuilder& b, mla::ParamOp op, Value index, Value params) {
  auto attention = op->getParentOfType<mla::AttentionOp>();
  const std::int64_t place = attention.paramIndex(op.getParam());
  assert(params && place >= 0 && "mla.param in a region that was given no parameters");
  auto field = [&](std::size_t offset) {
    const std::int64_t bytes = place * static_cast<std::int64_t>(sizeof(CpuParam));
    return b.offset(params, b.i64(bytes + static_cast<std::int64_t>(offset)));
  };
  if (index)
    return b.load(op.getType(),
                  b.load(b.pointerType(), field(offsetof(CpuParam, array)), b.i64(0)),
                  b.widen(index));
  const bool isReal = op.getType().isF32();
  return b.load(op.getType(),
                field(isReal ? offsetof(CpuParam, real) : offsetof(CpuParam, integer)),
                b.i64(0));
}

} // namespace

Values inlineRegion(LoopBuilder& b,
                    Region& region,
                    ArrayRef<Value> arguments,
                    const RegionSources& sources) {
  Block& block = region.front();
  IRMapping mapping;
  for (auto [parameter, argument] : llvm::zip_equal(block.getArguments(), arguments))
    if (argument)
      mapping.map(parameter, argument);
  for (Operation& op : block.without_terminator()) {
    if (auto lookup = llvm::dyn_cast<mla::LookupOp>(op))
      mapping.map(lookup.getBlock(),
                  buildLookup(b, mapping.lookup(lookup.getPage()), sources.table));
    else if (auto param = llvm::dyn_cast<mla::ParamOp>(op))
      mapping.map(param.getValue(),
                  buildParam(b,
                             param,
                             param.getIndex() ? mapping.lookup(param.getIndex()) : Value(),
                             sources.params));
    else
      b.clone(op, mapping);
  }
  return llvm::map_to_vector<4>(block.getTerminator()->getOperands(),
                                [&](Value value) { return mapping.lookup(value); });
}

} // namespace mlac
