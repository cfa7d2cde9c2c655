// Attributes of the `mla` dialect.
#pragma once

#include "compiler/ir/MlaDialect.h"

#include "mlir/IR/Attributes.h"
#include "mlir/IR/OpImplementation.h"

#define GET_ATTRDEF_CLASSES
#include "compiler/ir/MlaAttrs.h.inc"
