// Params: values of a launch by name, and how a kernel wants them laid out in its parameter struct.
#pragma once

#include "common/Expression.h"
#include "common/KernelFamily.h"
#include "common/Result.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mlac {

/// One name for each line of Params.def.
enum class Param {
#define MLAC_PARAM(name, type, roles) name,
#include "runtime/launch/Params.def"
};

inline constexpr std::size_t kParamCount = 0
#define MLAC_PARAM(name, type, roles) +1
#include "runtime/launch/Params.def"
    ;

/// The value of the variant's parameter `index`, whose argument is called param_NAME; behind those
/// of Params.def.
constexpr Param ruleParam(std::size_t index) {
  return static_cast<Param>(kParamCount + index);
}

/// Largest parameter struct a launch packs.
inline constexpr std::uint32_t kMaxParamBytes = 1024;

/// Bit patterns of a launch's values, by name. Unset ones are zero: null, or 0.
class ParamValues {
public:
  void set(Param param, const void* pointer) {
    bits[index(param)] = reinterpret_cast<std::uintptr_t>(pointer);
  }

  void set(Param param, std::int64_t integer) {
    bits[index(param)] = static_cast<std::uint64_t>(integer);
  }

  void set(Param param, float number) { bits[index(param)] = std::bit_cast<std::uint32_t>(number); }

  const std::uint64_t& get(Param param) const { return bits[index(param)]; }

private:
  static constexpr std::size_t index(Param param) { return static_cast<std::size_t>(param); }

  std::array<std::uint64_t, kParamCount + kMaxRuleParams> bits{};
};

/// Where one value goes.
struct PackedField {
  Param param;
  std::uint32_t offset;
  std::uint32_t bytes;
};

/// A kernel's whole struct.
struct PackList {
  std::vector<PackedField> fields;
  std::uint32_t structBytes = 0;
};

/// Resolves a kernel's parameter names. InvalidInput where a name is unknown, of another type, not
/// one of the kernel's role, given twice, or where fields overlap or lie outside the struct.
/// `params` are the variant's, of which an attention kernel takes those without a default.
Result<PackList> bindParams(const Kernel& kernel, std::span<const RuleParam> params = {});

/// Bytes of a parameter struct as a launch passes it.
struct alignas(16) ParamBuffer {
  std::array<std::byte, kMaxParamBytes> bytes;
};

/// Fills the first `list.structBytes` of `to`; bytes between fields become zero.
void packParams(const PackList& list, const ParamValues& values, ParamBuffer& to);

} // namespace mlac
