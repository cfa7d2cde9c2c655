// CheckFamily: whether a hand-over is one that a launch can rely on, wherever it came from.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"

namespace mlac {

/// InvalidInput names the kernel or table row, the value found and the limit. Parameter layouts are
/// checked when they are bound.
Status checkFamily(const KernelFamily& family);

/// Index of the first kernel of a role, or -1.
int indexOfRole(const KernelFamily& family, KernelRole role);

const char* roleName(KernelRole role);

} // namespace mlac
