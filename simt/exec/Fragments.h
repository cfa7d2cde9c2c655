// Fragments: how matrices lie across the registers of a warp. PTX ISA, "Matrix Fragments for
// mma.m16n8k16" and "ldmatrix".
#pragma once

#include <array>
#include <cstdint>

namespace mlac::simt {

/// An 8x8 matrix of 16-bit elements, row by row.
using Matrix8x8 = std::array<std::array<std::uint16_t, 8>, 8>;

/// Lane l's register: elements 2 (l % 4) and the next of row l / 4.
std::uint32_t fragmentOf(const Matrix8x8& matrix, std::uint32_t lane);

/// Puts lane l's register back.
void setFragment(Matrix8x8& matrix, std::uint32_t lane, std::uint32_t fragment);

Matrix8x8 transposed(const Matrix8x8& matrix);

/// Operands of one lane.
struct ProductOperands {
  float* d;               ///< [4], summed into
  const std::uint32_t* a; ///< [4]
  const std::uint32_t* b; ///< [2]
};

/// D += A B for all lanes of a warp, to the bit as an H200 does it: for each element the addend C
/// and the 16 products are aligned to the largest exponent among them, cut off 25 bits below it,
/// summed exactly, and cut to f32. A subnormal operand counts with the smallest exponent of its
/// type. Results are never NaN but 0x7fffffff.
void multiply(bool f16, const std::array<ProductOperands, 32>& lanes);

} // namespace mlac::simt
