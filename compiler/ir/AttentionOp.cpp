// mla.attention: names of its region arguments, and questions about its regions.
#include "compiler/ir/MlaOps.h"

#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlac::mla;

void AttentionOp::getAsmBlockArgumentNames(Region& region, OpAsmSetValueNameFn setName) {
  static constexpr StringLiteral kInterval[] = {"queryPos", "seqLen", "keyEnd", "hasKeyEnd"};
  static constexpr StringLiteral kSlots[] = {"entry", "begin", "end", "slotCount", "table"};
  static constexpr StringLiteral kMask[] = {"h", "q", "k", "t"};
  static constexpr StringLiteral kScore[] = {"s", "h", "q", "k", "t"};
  ArrayRef<StringLiteral> names = &region == &getInterval() ? ArrayRef<StringLiteral>(kInterval)
                                  : &region == &getSlots()  ? ArrayRef<StringLiteral>(kSlots)
                                  : &region == &getMask()   ? ArrayRef<StringLiteral>(kMask)
                                                            : ArrayRef<StringLiteral>(kScore);
  for (auto [argument, name] : llvm::zip(region.getArguments(), names))
    setName(argument, name);
}

ParamAttr AttentionOp::findParam(StringRef name) {
  const int index = paramIndex(name);
  return index < 0 ? ParamAttr() : cast<ParamAttr>((*getParams())[index]);
}

int AttentionOp::paramIndex(StringRef name) {
  const ArrayAttr params = getParamsAttr();
  for (auto [index, param] : llvm::enumerate(params ? params.getValue() : ArrayRef<Attribute>()))
    if (cast<ParamAttr>(param).getName() == name)
      return static_cast<int>(index);
  return -1;
}

bool AttentionOp::readsParams(Region& region) {
  return !region.front().getOps<ParamOp>().empty();
}

bool AttentionOp::isIdentityScore() {
  Block& block = getScore().front();
  return block.getTerminator()->getOperand(0) == block.getArgument(0);
}

bool AttentionOp::isTrivialMask() {
  return matchPattern(getMask().front().getTerminator()->getOperand(0), m_One());
}
