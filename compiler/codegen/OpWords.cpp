#include "compiler/codegen/OpWords.h"

#include "common/Expression.h"
#include "compiler/ir/MlaOps.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>

namespace mlac {
namespace {

using namespace mlir;

std::string within(const Words& words, Precedence least) {
  return words.precedence < least ? fmt::format("({})", words.text) : words.text;
}

/// Left-associative: the right operand needs the next tighter level.
Words binary(llvm::ArrayRef<Words> operands, const char* symbol, Precedence level) {
  const auto tighter = static_cast<Precedence>(static_cast<int>(level) + 1);
  return {fmt::format("{} {} {}",
                      within(asSigned(operands[0]), level),
                      symbol,
                      within(asSigned(operands[1]), tighter)),
          level,
          false};
}

Words call(const char* function, llvm::ArrayRef<Words> operands) {
  std::string list;
  for (const Words& operand : operands)
    list += (list.empty() ? "" : ", ") + asSigned(operand).text;
  return {fmt::format("{}({})", function, list), Precedence::Primary, false};
}

std::string unsignedText(const Words& words) {
  return words.isUnsigned ? within(words, Precedence::Product) : fmt::format("u32({})", words.text);
}

Words unsignedBinary(llvm::ArrayRef<Words> operands, const char* symbol) {
  const std::string right = std::isdigit(static_cast<unsigned char>(operands[1].text[0])) != 0
                                ? operands[1].text + "u"
                                : unsignedText(operands[1]);
  return {
      fmt::format("{} {} {}", unsignedText(operands[0]), symbol, right), Precedence::Product, true};
}

Words floatLiteral(float value) {
  if (std::isnan(value))
    return {"__int_as_float(0x7fffffff)", Precedence::Primary, false};
  if (std::isinf(value))
    return {value < 0 ? "negativeInfinity()" : "-negativeInfinity()", Precedence::Unary, false};
  std::string text =
      fmt::format("{}", value); // the shortest text that reads back as the same float
  if (text.find_first_of(".e") == std::string::npos)
    text += ".0";
  return {text + "f", value < 0 ? Precedence::Unary : Precedence::Primary, false};
}

std::optional<Words> constantWords(arith::ConstantOp op) {
  if (auto real = dyn_cast<FloatAttr>(op.getValue()); real && op.getType().isF32())
    return floatLiteral(real.getValue().convertToFloat());
  auto integer = dyn_cast<IntegerAttr>(op.getValue());
  if (!integer)
    return std::nullopt;
  if (op.getType().isInteger(1))
    return Words{integer.getValue().isZero() ? "false" : "true", Precedence::Primary, false};
  const int64_t value = integer.getValue().getSExtValue();
  // C++ has no negative literals: 2147483648 alone would be an i64.
  if (op.getType().isInteger(32) && value == std::numeric_limits<int32_t>::min())
    return Words{"-2147483647 - 1", Precedence::Sum, false};
  return Words{
      fmt::format("{}", value), value < 0 ? Precedence::Unary : Precedence::Primary, false};
}

const char* relationSymbol(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return "==";
  case arith::CmpIPredicate::ne:
    return "!=";
  case arith::CmpIPredicate::slt:
  case arith::CmpIPredicate::ult:
    return "<";
  case arith::CmpIPredicate::sle:
  case arith::CmpIPredicate::ule:
    return "<=";
  case arith::CmpIPredicate::sgt:
  case arith::CmpIPredicate::ugt:
    return ">";
  case arith::CmpIPredicate::sge:
  case arith::CmpIPredicate::uge:
    return ">=";
  }
  return nullptr;
}

Words comparison(arith::CmpIOp op, llvm::ArrayRef<Words> operands) {
  const char* symbol = relationSymbol(op.getPredicate());
  const Precedence level = symbol[1] == '=' && (symbol[0] == '=' || symbol[0] == '!')
                               ? Precedence::Equality
                               : Precedence::Relation;
  if (op.getPredicate() < arith::CmpIPredicate::ult)
    return binary(operands, symbol, level);
  return {fmt::format("{} {} {}", unsignedText(operands[0]), symbol, unsignedText(operands[1])),
          level,
          false};
}

/// Ordered comparisons are C++'s own; != is the one unordered predicate C++ has a symbol for.
std::optional<Words> floatComparison(arith::CmpFOp op, llvm::ArrayRef<Words> operands) {
  switch (op.getPredicate()) {
  case arith::CmpFPredicate::OEQ:
    return binary(operands, "==", Precedence::Equality);
  case arith::CmpFPredicate::UNE:
    return binary(operands, "!=", Precedence::Equality);
  case arith::CmpFPredicate::OLT:
    return binary(operands, "<", Precedence::Relation);
  case arith::CmpFPredicate::OLE:
    return binary(operands, "<=", Precedence::Relation);
  case arith::CmpFPredicate::OGT:
    return binary(operands, ">", Precedence::Relation);
  case arith::CmpFPredicate::OGE:
    return binary(operands, ">=", Precedence::Relation);
  default:
    return std::nullopt;
  }
}

Words widened(arith::ExtUIOp op, llvm::ArrayRef<Words> operands) {
  const char* type = op.getType().isInteger(64) ? "i64" : "i32";
  const bool plain = operands[0].isUnsigned || op.getIn().getType().isInteger(1);
  return {fmt::format("{}({})", type, plain ? operands[0].text : unsignedText(operands[0])),
          Precedence::Primary,
          false};
}

struct Symbol {
  const char* text;
  Precedence level;
};

/// Operations that are an infix symbol; `logical` for operands of type i1.
std::optional<Symbol> infixOf(llvm::StringRef name, bool logical) {
  return llvm::StringSwitch<std::optional<Symbol>>(name)
      .Cases({"arith.addi", "arith.addf"}, Symbol{"+", Precedence::Sum})
      .Cases({"arith.subi", "arith.subf"}, Symbol{"-", Precedence::Sum})
      .Cases({"arith.muli", "arith.mulf"}, Symbol{"*", Precedence::Product})
      .Cases({"arith.divsi", "arith.divf"}, Symbol{"/", Precedence::Product})
      .Case("arith.remsi", Symbol{"%", Precedence::Product})
      .Case("arith.shli", Symbol{"<<", Precedence::Shift})
      .Case("arith.shrsi", Symbol{">>", Precedence::Shift})
      .Case("arith.andi", logical ? Symbol{"&&", Precedence::And} : Symbol{"&", Precedence::BitAnd})
      .Case("arith.ori", logical ? Symbol{"||", Precedence::Or} : Symbol{"|", Precedence::BitOr})
      .Case("arith.xori",
            logical ? Symbol{"!=", Precedence::Equality} : Symbol{"^", Precedence::BitXor})
      .Default(std::nullopt);
}

/// Operations that are a call. The accurate library functions, not the approximate instructions.
const char* functionOf(llvm::StringRef name) {
  return llvm::StringSwitch<const char*>(name)
      .Case("arith.maxsi", "larger")
      .Case("arith.minsi", "smaller")
      .Case("arith.floordivsi", "floorDiv")
      .Cases({"arith.maximumf", "arith.maxnumf"}, "fmaxf")
      .Cases({"arith.minimumf", "arith.minnumf"}, "fminf")
      .Case("arith.extsi", "i64")
      .Case("arith.trunci", "i32")
      .Case("arith.sitofp", "float")
      .Case("math.exp", "expf")
      .Case("math.log", "logf")
      .Case("math.tanh", "tanhf")
      .Case("math.sqrt", "sqrtf")
      .Case("math.powf", "powf")
      .Case("math.absf", "fabsf")
      .Default(nullptr);
}

/// Arrays are read as what no kernel writes. Lanes past the last head read the last one's.
Words paramWords(mla::ParamOp op, llvm::ArrayRef<Words> operands) {
  auto attention = op->getParentOfType<mla::AttentionOp>();
  const std::string field = "args." + paramFieldName(op.getParam().str());
  if (operands.empty())
    return {field};
  const bool isPerHead = attention.findParam(op.getParam()).getShape() == mla::ParamShape::PerHead;
  return {isPerHead ? fmt::format("__ldg({} + smaller({}, {}))",
                                  field,
                                  operands[0].text,
                                  attention.getHeads() - 1)
                    : fmt::format("__ldg({} + {})", field, operands[0].text)};
}

/// `a + -5`, as folding leaves it, reads as `a - 5`.
std::optional<Words> subtractionOf(Operation& op, llvm::ArrayRef<Words> operands) {
  if (!isa<arith::AddIOp>(op) || operands[1].precedence != Precedence::Unary ||
      !matchPattern(op.getOperand(1), m_Constant()))
    return std::nullopt;
  const Words positive{operands[1].text.substr(1), Precedence::Primary, false};
  return binary({operands[0], positive}, "-", Precedence::Sum);
}

std::optional<Words> specialWords(Operation& op, llvm::ArrayRef<Words> operands) {
  return llvm::TypeSwitch<Operation*, std::optional<Words>>(&op)
      .Case([&](arith::ConstantOp constant) { return constantWords(constant); })
      .Case([&](mla::LookupOp) {
        return Words{fmt::format("{}.lookup({})", operands[0].text, asSigned(operands[1]).text)};
      })
      .Case([&](mla::ParamOp param) { return paramWords(param, operands); })
      .Case([&](arith::XOrIOp negation) -> std::optional<Words> {
        if (!negation.getType().isInteger(1) || !matchPattern(negation.getRhs(), m_One()))
          return std::nullopt;
        return Words{fmt::format("!{}", within(operands[0], Precedence::Unary)), Precedence::Unary};
      })
      .Case([&](arith::CmpIOp compare) { return comparison(compare, operands); })
      .Case([&](arith::CmpFOp compare) { return floatComparison(compare, operands); })
      .Case([&](arith::ExtUIOp widen) { return widened(widen, operands); })
      .Case([&](arith::DivUIOp) { return unsignedBinary(operands, "/"); })
      .Case([&](arith::RemUIOp) { return unsignedBinary(operands, "%"); })
      .Case([&](arith::NegFOp) {
        return Words{
            fmt::format("-{}", within(operands[0], Precedence::Primary)), Precedence::Unary, false};
      })
      .Case([&](arith::SelectOp) {
        return Words{fmt::format("{} ? {} : {}",
                                 within(operands[0], Precedence::Or),
                                 within(asSigned(operands[1]), Precedence::Or),
                                 within(asSigned(operands[2]), Precedence::Or)),
                     Precedence::Conditional,
                     false};
      })
      .Default(std::optional<Words>());
}

} // namespace

Words asSigned(const Words& words) {
  return words.isUnsigned ? Words{fmt::format("i32({})", words.text), Precedence::Primary, false}
                          : words;
}

Result<Words> wordsOf(Operation& op, llvm::ArrayRef<Words> operands) {
  if (auto words = specialWords(op, operands))
    return *words;
  const llvm::StringRef name = op.getName().getStringRef();
  const bool logical = op.getNumOperands() > 0 && op.getOperand(0).getType().isInteger(1);
  if (auto subtraction = subtractionOf(op, operands))
    return *subtraction;
  if (const auto infix = infixOf(name, logical))
    return binary(operands, infix->text, infix->level);
  if (const char* function = functionOf(name))
    return call(function, operands);
  return Error{
      ErrorCode::Unsupported,
      fmt::format("the CUDA backend has no words for `{}` in a rule of an attention", name.str())};
}

} // namespace mlac
