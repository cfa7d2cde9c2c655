// The `mla` dialect: registration and enumerations.
#pragma once

#include "mlir/IR/Dialect.h"

// clang-format off: generated headers need the one above
#include "compiler/ir/MlaDialect.h.inc"
#include "compiler/ir/MlaEnums.h.inc"
// clang-format on
