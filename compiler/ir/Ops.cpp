// Registration of the `mla` operations, and the folders and forms they share.
#include "compiler/ir/MlaOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlac::mla;

static ParseResult parseNamedRegion(OpAsmParser& parser, Region& region) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, OpAsmParser::Delimiter::Paren, /*allowType=*/true))
    return failure();
  return parser.parseRegion(region, arguments);
}

static void printNamedRegion(OpAsmPrinter& printer, Operation*, Region& region) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer, [&](BlockArgument argument) {
    printer.printRegionArgument(argument);
  });
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

#define GET_OP_CLASSES
#include "compiler/ir/MlaOps.cpp.inc"

void MlaDialect::registerOps() {
  addOperations<
#define GET_OP_LIST
#include "compiler/ir/MlaOps.cpp.inc"
      >();
}

OpFoldResult LookupOp::fold(FoldAdaptor adaptor) {
  auto page = dyn_cast_if_present<IntegerAttr>(adaptor.getPage());
  if (page && page.getValue().isNegative())
    return IntegerAttr::get(getType(), -1);
  return {};
}
