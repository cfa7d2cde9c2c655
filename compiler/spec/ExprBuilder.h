// ExprBuilder: typed nodes of a rule, made operand by operand, with what is wrong about them.
#pragma once

#include "common/Diagnostic.h"
#include "common/Expression.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mlac {

/// Nodes are named by their place in the rule. After the first mistake everything answers -1, and
/// nothing more is reported.
class ExprBuilder {
public:
  using Place = std::int32_t;

  ExprBuilder(std::span<const RuleParam> params, DiagnosticList& diagnostics)
      : params(params), diagnostics(diagnostics) {}

  bool failed() const { return hasFailed; }

  Place fail(Span span, std::string message, std::string help);
  Place
  failWithNote(Span span, std::string message, Span note, std::string remark, std::string help);

  Place whole(std::int32_t value, Span span);
  Place real(float value, Span span);
  Place argument(ExprOp op, Span span);
  Place param(std::size_t index, Span span);

  /// An operation over operands that it may turn from i32 to f32. `span` is its operator or name.
  Place make(ExprOp op, Span span, std::vector<Place> operands);

  /// The rule, whose last node is `result`, of the wanted type; `whole` is all of its text.
  std::optional<Rule> finish(Place result, ExprType wanted, Span whole, std::string_view ruleName);

private:
  Place add(const ExprNode& node, Span span, const std::optional<ExprNode>& known);
  Place promoted(Place place);
  void promote(ExprOp op, std::vector<Place>& operands);
  Place failTypes(ExprOp op, Span span, std::span<const ExprType> types);
  std::optional<ExprNode> foldKnown(ExprOp op, ExprType type, std::span<const Place> operands);
  bool isZero(Place place) const;

  ExprType typeOf(Place place) const { return rule[static_cast<std::size_t>(place)].type; }

  std::span<const RuleParam> params;
  DiagnosticList& diagnostics;
  Rule rule;
  std::vector<Span> spans;                     ///< by node
  std::vector<std::optional<ExprNode>> values; ///< by node: its constant, where it is known
  bool tooLarge = false;
  bool hasFailed = false;
};

} // namespace mlac
