// AbiTable: the functions that a loaded kernel calls.
#pragma once

#include "simt/device/Abi.h"

namespace mlac::simt {

/// Each acts on the CTA that runs on the calling OS thread.
const Abi& abiTable();

} // namespace mlac::simt
