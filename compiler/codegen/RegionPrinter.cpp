#include "compiler/codegen/RegionPrinter.h"

#include "compiler/codegen/OpWords.h"
#include "compiler/codegen/SourceWriter.h"
#include "compiler/ir/MlaOps.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/Region.h"

#include <fmt/format.h>

namespace mlac {
namespace {

/// Longer expressions are given a name: a line stays readable, and a sum of thousands of terms is
/// not copied thousands of times.
constexpr std::size_t kLongestInline = 160;

std::string typeName(mlir::Type type) {
  if (type.isF32())
    return "float";
  if (type.isInteger(1))
    return "bool";
  return type.isInteger(64) ? "i64" : "i32";
}

class RegionText {
public:
  RegionText(SourceWriter& out, mlir::Region& region, llvm::ArrayRef<llvm::StringRef> results)
      : out(out), region(region), results(results) {}

  Status print(llvm::ArrayRef<llvm::StringRef> arguments) {
    for (const auto& [argument, name] : llvm::zip_equal(region.getArguments(), arguments))
      words[argument] = {name.str(), Precedence::Primary, false};
    for (mlir::Operation& op : region.front().without_terminator())
      MLAC_CHECK(define(op));
    mlir::Operation& yield = region.front().back();
    std::string list;
    for (mlir::Value value : yield.getOperands())
      list += (list.empty() ? "" : ", ") + asSigned(words[value]).text;
    out.line(yield.getNumOperands() == 1 ? fmt::format("return {};", list)
                                         : fmt::format("return {{{}}};", list));
    return Unit{};
  }

private:
  /// Values used once stand where they are used; others, and table look-ups, get a name.
  Status define(mlir::Operation& op) {
    llvm::SmallVector<Words> operands;
    for (mlir::Value operand : op.getOperands())
      operands.push_back(words[operand]);
    MLAC_TRY(text, wordsOf(op, operands));
    const mlir::Value value = op.getResult(0);
    const bool isLookup = llvm::isa<mla::LookupOp>(op);
    const bool isConstant = op.hasTrait<mlir::OpTrait::ConstantLike>();
    const bool isShort = text.text.size() <= kLongestInline;
    if (isConstant || (value.hasOneUse() && !isLookup && isShort)) {
      words[value] = text;
      return Unit{};
    }
    const std::string name = isLookup ? "block" : nameOf(value);
    out.line(
        fmt::format("const {} {} = {};", typeName(value.getType()), name, asSigned(text).text));
    words[value] = {name, Precedence::Primary, false};
    return Unit{};
  }

  std::string nameOf(mlir::Value value) {
    mlir::Operation& yield = region.front().back();
    for (const auto& [yielded, name] : llvm::zip_equal(yield.getOperands(), results))
      if (yielded == value)
        return name.str();
    return fmt::format("part{}", ++unnamed);
  }

  SourceWriter& out;
  mlir::Region& region;
  llvm::ArrayRef<llvm::StringRef> results;
  llvm::DenseMap<mlir::Value, Words> words;
  int unnamed = 0;
};

} // namespace

Status printRegion(SourceWriter& out,
                   mlir::Region& region,
                   llvm::ArrayRef<llvm::StringRef> arguments,
                   llvm::ArrayRef<llvm::StringRef> results) {
  return RegionText(out, region, results).print(arguments);
}

} // namespace mlac
