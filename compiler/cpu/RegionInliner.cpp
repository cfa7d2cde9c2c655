#include "compiler/cpu/RegionInliner.h"

#include "compiler/ir/MlaOps.h"

#include "mlir/IR/IRMapping.h"

#include <cassert>

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

} // namespace

Values
inlineRegion(LoopBuilder& b, Region& region, ArrayRef<Value> arguments, const TableRow& table) {
  Block& block = region.front();
  IRMapping mapping;
  for (auto [parameter, argument] : llvm::zip_equal(block.getArguments(), arguments))
    if (argument)
      mapping.map(parameter, argument);
  for (Operation& op : block.without_terminator()) {
    if (auto lookup = llvm::dyn_cast<mla::LookupOp>(op))
      mapping.map(lookup.getBlock(), buildLookup(b, mapping.lookup(lookup.getPage()), table));
    else
      b.clone(op, mapping);
  }
  return llvm::map_to_vector<4>(block.getTerminator()->getOperands(),
                                [&](Value value) { return mapping.lookup(value); });
}

} // namespace mlac
