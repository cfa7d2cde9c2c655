// Faults: the rows of the mutation table by the part of the kernel they break.
#pragma once

#include "tests/simt/mutations/Mutations.h"

#include <vector>

namespace mlac::mutations {

/// Barriers of the ring: initialisation, waiting, releasing, refilling.
std::vector<Mutation> ringFaults();

/// Copies into the ring: what is announced, copied and stored beside it.
std::vector<Mutation> gatherFaults();

/// Which rows a token reads: index rows, block tables, requests, offsets.
std::vector<Mutation> rowFaults();

/// Scores on their way between the warps that divide a head group's dims.
std::vector<Mutation> shareFaults();

/// Numbers: fragments, scale, softmax.
std::vector<Mutation> arithmeticFaults();

/// Queries on their way in, results on their way out.
std::vector<Mutation> edgeFaults();

/// The combine and convert kernels.
std::vector<Mutation> supportFaults();

/// Tokens that share keys: which are grouped, and what each sees.
std::vector<Mutation> groupFaults();

/// The merge kernel.
std::vector<Mutation> mergeKernelFaults();

/// The schedule kernel, and what launches make of its list.
std::vector<Mutation> scheduleFaults();

} // namespace mlac::mutations
