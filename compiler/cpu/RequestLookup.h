// Where a token stands: its request, and its distance from the end of that request's queries.
#pragma once

#include "compiler/cpu/KernelArgs.h"

namespace mlac {

struct TokenPlace {
  mlir::Value request; ///< i64; any value where unknown
  mlir::Value known;   ///< i1: the request exists
  mlir::Value tail;    ///< i64: n - i for query i of n, so that its position is seqLen - tail
};

/// Builds the lookup of i64 `token` through whichever table the launch gives.
TokenPlace buildRequestLookup(LoopBuilder& b, const KernelArgs& args, mlir::Value token);

} // namespace mlac
