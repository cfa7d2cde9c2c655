// Runs a region of mla.attention on constants, by MLIR's own folders.
#include "EvaluateRegion.h"

#include "compiler/ir/MlaOps.h"

#include "mlir/IR/Builders.h"

#include <gtest/gtest.h>

using namespace mlir;

namespace mlac {
namespace {

using Environment = DenseMap<Value, Attribute>;

std::int64_t integerOf(Attribute value) {
  auto integer = cast<IntegerAttr>(value);
  // A bool prints as 0 or 1, not as the -1 that its one bit would be with a sign.
  return integer.getType().isInteger(1) ? integer.getValue().getZExtValue()
                                        : integer.getValue().getSExtValue();
}

void lookUp(mla::LookupOp op, const Table& table, Environment& environment) {
  std::int64_t block = table(integerOf(environment.lookup(op.getPage())));
  environment[op.getBlock()] = IntegerAttr::get(op.getBlock().getType(), block);
}

void foldInto(Operation& op, Environment& environment) {
  SmallVector<Attribute> operands;
  for (Value operand : op.getOperands())
    operands.push_back(environment.lookup(operand));
  SmallVector<OpFoldResult> results;
  ASSERT_TRUE(succeeded(op.fold(operands, results))) << op.getName().getStringRef().str();
  ASSERT_EQ(results.size(), 1u);
  Attribute folded = dyn_cast<Attribute>(results[0]);
  environment[op.getResult(0)] = folded ? folded : environment.lookup(cast<Value>(results[0]));
}

} // namespace

std::vector<std::int64_t>
evaluate(Region& region, const std::vector<std::int64_t>& arguments, const Table& table) {
  Environment environment;
  for (auto [argument, value] : llvm::zip(region.getArguments(), arguments))
    if (!isa<mla::TableType>(argument.getType()))
      environment[argument] = IntegerAttr::get(argument.getType(), value);
  for (Operation& op : region.front().without_terminator()) {
    if (auto lookup = dyn_cast<mla::LookupOp>(op))
      lookUp(lookup, table, environment);
    else
      foldInto(op, environment);
  }
  std::vector<std::int64_t> yielded;
  for (Value value : region.front().getTerminator()->getOperands())
    yielded.push_back(integerOf(environment.lookup(value)));
  return yielded;
}

} // namespace mlac
