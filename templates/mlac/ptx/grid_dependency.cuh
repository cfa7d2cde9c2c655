// Programmatic dependent launch: a grid may start before the one it depends on has ended.
// PTX ISA: "griddepcontrol"; sm_90. Both do nothing in a grid that was launched without the
// attribute.
#pragma once

#include "mlac/base/types.cuh"

namespace mlac {

/// Returns once the grids this one depends on have ended; their writes are then visible.
__device__ __forceinline__ void waitForPreviousGrid() {
#ifdef MLAC_SIMT
  simt::abi->waitForPreviousGrid();
#else
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/// Lets dependent grids start once every CTA has called this or ended. Makes nothing visible to
/// them: they wait for this grid's end.
__device__ __forceinline__ void allowNextGrid() {
#ifdef MLAC_SIMT
  simt::abi->allowNextGrid();
#else
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

} // namespace mlac
