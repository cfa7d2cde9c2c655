// InstructionMix: how many machine instructions of which kind a kernel has, read from nvdisasm's
// text.
#pragma once

#include "common/Result.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace mlac::sass {

/// Kinds that a schedule is judged by.
enum class Kind {
  Mma,             ///< products of the tensor cores: HMMA and its like
  LoadMatrix,      ///< LDSM
  LoadMatrixTrans, ///< LDSM that transposes
  MoveMatrix,      ///< MOVM
  LoadShared,
  StoreShared,
  LoadGlobal,
  StoreGlobal,
  AsyncCopy, ///< global to shared memory past the registers: UBLKCP, LDGSTS
  Local,     ///< LDL, STL: spills and arrays that live in memory
  Atomic,
  Special,  ///< MUFU
  Exchange, ///< between the lanes of a warp: SHFL, VOTE, REDUX, MATCH
  Barrier,  ///< BAR, SYNCS, fences
  Float,    ///< f32 and packed f16 arithmetic
  Integer,  ///< addresses, comparisons, predicates, conversions
  Move,     ///< registers, constants and special registers
  Control,  ///< branches and reconvergence
  Other,
};

inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::Other) + 1;

/// All kinds, in order.
std::span<const Kind> allKinds();

/// A name as JSON has it: "mma", "loadMatrixTrans".
std::string_view kindName(Kind kind);

/// The opcodes of a kind, for people: "LDSM.T".
std::string_view kindOpcodes(Kind kind);

/// Counts by kind. NOPs are in none: they pad.
struct InstructionMix {
  std::array<int, kKinds> counts{};

  int of(Kind kind) const { return counts[static_cast<std::size_t>(kind)]; }

  int total() const;

  friend bool operator==(const InstructionMix&, const InstructionMix&) = default;
};

/// A kernel's mix, and that of its loop over keys.
struct KernelMix {
  InstructionMix whole;
  /// The shortest loop with the most tensor-core products, from the target of its backward branch
  /// to the branch. What the compiler moved out of line (slow paths, waits) is not in it. Absent in
  /// kernels without products in a loop.
  std::optional<InstructionMix> keyLoop;
};

/// The kind of an opcode with its modifiers, such as "LDSM.16.MT88.4"; nothing for NOP.
std::optional<Kind> kindOf(std::string_view opcode);

/// Counts what `nvdisasm -c` prints of a cubin with one kernel. CorruptData where the text holds no
/// instruction.
Result<KernelMix> countInstructions(std::string_view listing);

} // namespace mlac::sass
