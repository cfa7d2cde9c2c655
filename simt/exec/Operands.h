// Operands: what one lane brings to a collective operation and takes from it.
#pragma once

#include "simt/device/Abi.h"

#include <cstdint>

namespace mlac::simt {

struct ShuffleOperands {
  std::uint64_t in;
  int lane;
  std::uint64_t out;
};

struct VoteOperands {
  std::uint32_t predicate;
  std::uint32_t out;
};

struct ReduceOperands {
  int in;
  int out;
};

struct TransposeOperands {
  std::uint32_t in;
  std::uint32_t out;
};

/// Variant of ldmatrix and stmatrix: how many matrices, and whether they are transposed.
constexpr std::uint32_t kMatrixCountMask = 7;
constexpr std::uint32_t kMatrixTransposed = 8;

struct MatricesOperands {
  std::uint32_t address;     ///< of the row this lane stands for
  std::uint32_t* to;         ///< [count], of a load
  const std::uint32_t* from; ///< [count], of a store
};

} // namespace mlac::simt
