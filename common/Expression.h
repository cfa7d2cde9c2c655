// Expression: the rules a variant puts on single keys (`score`, `mask`) as plain data, and the
// parameters they name.
#pragma once

#include "common/Result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

enum class ExprType : std::uint8_t { Bool, I32, F32 };

/// What a node of a rule computes. The order of the cases is that of kExprInfos.
enum class ExprOp : std::uint8_t {
  Score,
  Head,
  Query,
  Key,
  Token,
  Param,
  Constant,
  ToFloat,
  Neg,
  Not,
  Abs,
  Exp,
  Log,
  Tanh,
  Sqrt,
  Add,
  Sub,
  Mul,
  Div,
  Mod,
  Eq,
  Ne,
  Lt,
  Le,
  Gt,
  Ge,
  And,
  Or,
  Min,
  Max,
  Pow,
  Select,
  Softcap,
  Alibi,
  Causal,
  SlidingWindow
};

inline constexpr std::size_t kExprOpCount = 36;
inline constexpr int kMaxOperands = 4;

/// How tightly an operator of the language binds, loosest first.
enum class ExprLevel : std::uint8_t { Or, And, Comparison, Sum, Product, Unary, Primary };

/// An operation as the language writes it.
struct ExprInfo {
  ExprOp op;
  std::string_view spelling; ///< operator, function or argument; empty where nothing is written
  int operands;
  ExprLevel level;          ///< Primary for functions
  std::string_view example; ///< of functions: a right call
};

const ExprInfo& infoOf(ExprOp op);

/// The function of that name, such as `tanh`; null where there is none.
const ExprInfo* findFunction(std::string_view name);

/// The argument of rules of that name: s, h, q, k or t.
std::optional<ExprOp> findRuleArgument(std::string_view name);

/// One operation. Operands are indices of earlier nodes.
struct ExprNode {
  ExprOp op = ExprOp::Constant;
  ExprType type = ExprType::I32;
  std::array<std::int32_t, kMaxOperands> operands{-1, -1, -1, -1};
  std::int32_t integer = 0; ///< of a Constant i32 or bool; the index of a Param
  float real = 0;           ///< of a Constant f32

  friend bool operator==(const ExprNode&, const ExprNode&) = default;
};

/// Nodes in an order in which each comes after its operands; the last is the result. Empty where a
/// variant has no such rule: scores stay as they are, all keys are kept.
using Rule = std::vector<ExprNode>;

/// The type of `op` over operands of these types, i32 and f32 never mixed; nothing where it takes
/// no such operands. For a Param or a Constant any type is right, so there is none to tell.
std::optional<ExprType> resultType(ExprOp op, std::span<const ExprType> operands);

/// True where the rule reads the value of `op`, an argument of rules: s, h, q, k or t. Library
/// words count as what they say.
bool readsArgument(const Rule& rule, ExprOp op);

enum class ParamKind : std::uint8_t { Scalar, PerHead, PerToken };

/// Most parameters an attention may declare.
inline constexpr std::size_t kMaxRuleParams = 32;

/// A number that rules name. Without a default it is an argument of the launch: a host value, or a
/// device array [H] or [T].
struct RuleParam {
  std::string name;
  ExprType type = ExprType::F32; ///< F32 or I32
  ParamKind kind = ParamKind::Scalar;
  std::optional<double> value = {}; ///< default of a Scalar: any i32, or any finite f32

  bool isArgument() const { return !value.has_value(); }

  friend bool operator==(const RuleParam&, const RuleParam&) = default;
};

/// What a kernel's argument for the parameter is called; no other argument begins like it.
std::string paramFieldName(std::string_view param);

/// True where the rule names parameter `index`.
bool readsParam(const Rule& rule, std::size_t index);

/// Holds a rule that came from outside against all that makes one: operands before their users,
/// types that fit, parameters that exist. InvalidInput says which node is wrong.
Status checkRule(const Rule& rule, std::span<const RuleParam> params, ExprType result);

/// InvalidInput unless every parameter has a type, kind and value that go together.
Status checkRuleParams(std::span<const RuleParam> params);

/// Gives the scalar parameter `name` another default, in place of the one it has. InvalidInput
/// where there is no such default, or the value is not one of its type.
Status overrideParam(std::vector<RuleParam>& params, std::string_view name, double value);

/// InvalidInput unless `value` is a whole i32, or rounds to a finite f32.
Status checkParamValue(const RuleParam& param, double value);

} // namespace mlac
