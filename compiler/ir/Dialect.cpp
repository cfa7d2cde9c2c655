// Registration of the `mla` dialect.
#include "compiler/ir/MlaDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

// clang-format off: generated code needs the headers above
#include "compiler/ir/MlaDialect.cpp.inc"
#include "compiler/ir/MlaEnums.cpp.inc"
// clang-format on

void mlac::mla::MlaDialect::initialize() {
  registerTypes();
  registerAttributes();
  registerOps();
}

mlir::Operation* mlac::mla::MlaDialect::materializeConstant(mlir::OpBuilder& builder,
                                                            mlir::Attribute value,
                                                            mlir::Type type,
                                                            mlir::Location loc) {
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}
