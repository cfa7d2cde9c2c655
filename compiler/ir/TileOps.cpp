// mla.kernel and mla.tiles: text form, and rules that need no look at the protocol.
#include "compiler/ir/MlaOps.h"
#include "compiler/ir/TileProtocol.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlac::mla;

AttentionOp KernelOp::attention() {
  return SymbolTable::lookupNearestSymbolFrom<AttentionOp>(*this, getImplementsAttr());
}

LogicalResult KernelOp::verifyRegions() {
  return isBuilt() ? verifyTileProtocol(*this) : success();
}

LogicalResult KernelOp::verifySymbolUses(SymbolTableCollection& symbolTable) {
  auto attention = symbolTable.lookupNearestSymbolFrom<AttentionOp>(*this, getImplementsAttr());
  if (!attention)
    return emitOpError() << "implements " << getImplementsAttr()
                         << ", which is no mla.attention in this module";
  return isBuilt() ? verifyImplements(*this, attention) : success();
}

LogicalResult RingOp::verify() {
  int64_t rowBytes = static_cast<int32_t>(getRowBytes());
  int64_t strideBytes = static_cast<int32_t>(getStrideBytes());
  if (static_cast<int32_t>(getStages()) < 1)
    return emitOpError() << "needs at least 1 stage, found " << static_cast<int32_t>(getStages());
  if (static_cast<int32_t>(getBarriers()) < 1 || getBarriers() % getStages() != 0)
    return emitOpError() << "`barriers` must be a multiple of the " << getStages()
                         << " stages, so that each serves one slot, found "
                         << static_cast<int32_t>(getBarriers());
  if (rowBytes < 16 || rowBytes % 16 != 0)
    return emitOpError() << "`row_bytes` must be a multiple of 16, the unit of a copy, found "
                         << rowBytes;
  if (strideBytes < rowBytes || strideBytes % 32 != 16)
    return emitOpError() << "`stride_bytes` must be an odd multiple of 16 that holds a row of "
                         << rowBytes << ", found " << strideBytes;
  return success();
}

LogicalResult TilesOp::verifyRegions() {
  Type wanted[] = {IndexType::get(getContext()), AccType::get(getContext())};
  if (!llvm::equal(getBody()->getArgumentTypes(), wanted))
    return emitOpError() << "body takes the tile's number and the accumulator";
  auto yield = dyn_cast<YieldOp>(getBody()->getTerminator());
  if (!yield || !llvm::equal(yield.getOperandTypes(), getOperation()->getResultTypes()))
    return emitOpError() << "body must yield the accumulator";
  return success();
}

void TilesOp::getAsmBlockArgumentNames(Region& region, OpAsmSetValueNameFn setName) {
  static constexpr StringLiteral kNames[] = {"tile", "acc"};
  for (auto [argument, name] : llvm::zip(region.getArguments(), kNames))
    setName(argument, name);
}

// %acc = mla.tiles(%tile, %carried = %init) of %ring slices 8 { ... }
ParseResult TilesOp::parse(OpAsmParser& parser, OperationState& result) {
  OpAsmParser::Argument tile;
  OpAsmParser::Argument carried;
  OpAsmParser::UnresolvedOperand init;
  OpAsmParser::UnresolvedOperand ring;
  IntegerAttr slices;
  Builder& builder = parser.getBuilder();
  tile.type = builder.getIndexType();
  carried.type = builder.getType<AccType>();
  if (parser.parseLParen() || parser.parseArgument(tile) || parser.parseComma() ||
      parser.parseArgument(carried) || parser.parseEqual() || parser.parseOperand(init) ||
      parser.parseRParen() || parser.parseKeyword("of") || parser.parseOperand(ring) ||
      parser.parseKeyword("slices") ||
      parser.parseAttribute(slices, builder.getIntegerType(32), "slices", result.attributes) ||
      parser.resolveOperand(ring, builder.getType<RingType>(), result.operands) ||
      parser.resolveOperand(init, carried.type, result.operands) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  result.addTypes(carried.type);
  return parser.parseRegion(*result.addRegion(), {tile, carried});
}

void TilesOp::print(OpAsmPrinter& printer) {
  printer << '(' << tile() << ", " << carried() << " = " << getInit() << ") of " << getRing()
          << " slices " << getSlices();
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs(), {getSlicesAttrName()});
  printer << ' ';
  printer.printRegion(getBodyRegion(), /*printEntryBlockArgs=*/false);
}
