// Checks the arguments of a CPU launch before anything is read or written.
#pragma once

#include "common/Result.h"
#include "compiler/cpu/CpuArgs.h"

namespace mlac {

struct Variant;

/// Success, or `InvalidArgument` naming the argument, what it holds and what it may hold.
Status checkCpuArgs(const Variant& variant, const CpuArgs& args);

} // namespace mlac
