#include "compiler/spec/ExprParser.h"

#include "compiler/spec/ExprBuilder.h"
#include "compiler/spec/Numbers.h"
#include "compiler/spec/Words.h"

#include <fmt/format.h>

#include <algorithm>

namespace mlac {
namespace {

using Place = std::int32_t;

/// The operator between two operands that is spelled so.
const ExprInfo* findInfix(std::string_view spelling) {
  for (std::size_t op = 0; op < kExprOpCount; ++op) {
    const ExprInfo& info = infoOf(static_cast<ExprOp>(op));
    const bool isInfix = info.operands == 2 && info.level != ExprLevel::Primary;
    if (isInfix && info.spelling == spelling)
      return &info;
  }
  return nullptr;
}

ExprLevel tighter(ExprLevel level) {
  return static_cast<ExprLevel>(static_cast<int>(level) + 1);
}

/// Precedence climbing. After the first mistake every part fails, so nothing needs to ask.
class ExprParser {
public:
  ExprParser(std::span<const ast::Argument> tokens,
             Span end,
             const RuleScope& scope,
             std::vector<bool>& isUsed,
             DiagnosticList& diagnostics)
      : tokens(tokens), end(end), scope(scope), isUsed(isUsed), builder(scope.params, diagnostics) {
  }

  std::optional<Rule> run(ExprType wanted) {
    const Span whole = {here().offset, end.offset - here().offset};
    const Place result = parseLevel(ExprLevel::Or);
    if (!builder.failed() && !atEnd())
      failExpecting("an operator or the end of the line");
    return builder.finish(result, wanted, whole, scope.rule);
  }

private:
  bool atEnd() const { return at == tokens.size(); }

  Span here() const { return atEnd() ? end : tokens[at].span; }

  bool isAt(std::string_view text) const { return !atEnd() && tokens[at].text == text; }

  bool takeIf(std::string_view text) {
    const bool isNext = !builder.failed() && isAt(text);
    at += isNext ? 1 : 0;
    return isNext;
  }

  Place fail(Span span, std::string message, std::string help) {
    return builder.fail(span, std::move(message), std::move(help));
  }

  Place failExpecting(std::string_view what) {
    const std::string found = atEnd() ? "the end of the line" : quoteForMessage(tokens[at].text);
    const bool isAssignment = isAt("=");
    return fail(here(),
                fmt::format("expected {}, found {}", what, found),
                isAssignment ? std::string("`==` compares")
                             : "an expression is made of + - * / %, comparisons, && || !, "
                               "functions and parentheses: 50 * tanh(s / 50)");
  }

  void expect(std::string_view text) {
    if (!takeIf(text))
      failExpecting(fmt::format("`{}`", text));
  }

  Place parseLevel(ExprLevel least) {
    Place left = parseUnary();
    while (!builder.failed() && !atEnd()) {
      const ExprInfo* info = findInfix(tokens[at].text);
      if (info == nullptr || info->level < least)
        break;
      const Span span = tokens[at++].span;
      const Place right = parseLevel(tighter(info->level));
      left = builder.make(info->op, span, {left, right});
    }
    return left;
  }

  Place parseUnary() {
    const Depth depth(*this);
    if (builder.failed())
      return -1;
    const Span span = here();
    if (takeIf("-"))
      return builder.make(ExprOp::Neg, span, {parseUnary()});
    if (takeIf("!"))
      return builder.make(ExprOp::Not, span, {parseUnary()});
    return parsePrimary();
  }

  Place parsePrimary() {
    if (takeIf("(")) {
      const Place inner = parseLevel(ExprLevel::Or);
      expect(")");
      return inner;
    }
    if (!atEnd() && tokens[at].kind == ast::ArgumentKind::Number)
      return parseNumber();
    if (!atEnd() && tokens[at].kind == ast::ArgumentKind::Word)
      return parseName();
    return failExpecting("a value");
  }

  Place parseNumber() {
    const ast::Argument& token = tokens[at++];
    const bool isHex = token.text.starts_with("0x") || token.text.starts_with("0X");
    const bool isReal = !isHex && token.text.find_first_of(".eE") != token.text.npos;
    if (isReal) {
      const auto parsed = parseReal(token.text);
      if (const float* value = std::get_if<float>(&parsed))
        return builder.real(*value, token.span);
    } else {
      const auto parsed = parseWhole(token.text);
      const std::int64_t* value = std::get_if<std::int64_t>(&parsed);
      if (value != nullptr && *value <= std::numeric_limits<std::int32_t>::max())
        return builder.whole(static_cast<std::int32_t>(*value), token.span);
    }
    return fail(token.span,
                fmt::format("{} is no number that a rule can hold", quoteForMessage(token.text)),
                "whole numbers go up to 2147483647; with a point or an exponent a number is f32: "
                "0.5, 1e-3");
  }

  Place parseName() {
    const ast::Argument& token = tokens[at++];
    if (const ExprInfo* function = findFunction(token.text); function != nullptr)
      return parseCall(*function, token.span);
    const auto param = std::find_if(scope.params.begin(),
                                    scope.params.end(),
                                    [&](const RuleParam& one) { return one.name == token.text; });
    if (param != scope.params.end())
      return parseParam(static_cast<std::size_t>(param - scope.params.begin()), token.span);
    if (const auto argument = findRuleArgument(token.text))
      return parseArgument(*argument, token);
    if (token.text == "score" || token.text == "mask")
      return fail(token.span,
                  fmt::format("{} is a rule, and rules name neither themselves nor each other",
                              quoteForMessage(token.text)),
                  "write the expression out, over s, h, q, k, t and parameters");
    return failUnknown(token);
  }

  Place failUnknown(const ast::Argument& token) {
    std::vector<std::string_view> names = {"s", "h", "q", "k", "t"};
    for (const RuleParam& param : scope.params)
      names.push_back(param.name);
    for (std::size_t op = 0; op < kExprOpCount; ++op)
      if (!infoOf(static_cast<ExprOp>(op)).example.empty())
        names.push_back(infoOf(static_cast<ExprOp>(op)).spelling);
    const auto meant = nearest(token.text, names);
    return fail(token.span,
                fmt::format("unknown name {}", quoteForMessage(token.text)),
                meant ? fmt::format("did you mean `{}`?", *meant)
                      : fmt::format("declare it: param {} : f32", token.text.substr(0, 40)));
  }

  Place parseArgument(ExprOp argument, const ast::Argument& token) {
    const bool isPosition = argument == ExprOp::Query || argument == ExprOp::Key;
    if (isPosition && scope.physical)
      return builder.failWithNote(
          token.span,
          fmt::format("`{}` is a position, and a physical slot does not tell its key's position",
                      token.text),
          *scope.physical,
          "the indices are physical here",
          "write `logical` indices, or a rule without q and k");
    if (!scope.isListed[static_cast<std::size_t>(argument)])
      return fail(token.span,
                  fmt::format("`{}` is not among the arguments of `{}`", token.text, scope.rule),
                  argument == ExprOp::Score && scope.rule == "mask"
                      ? std::string("a mask looks at h, q, k and t; scores are for `score`")
                      : fmt::format("name it: {}({}, ...) =", scope.rule, token.text));
    return builder.argument(argument, token.span);
  }

  Place parseParam(std::size_t index, Span span) {
    isUsed[index] = true;
    const RuleParam& param = scope.params[index];
    if (param.kind == ParamKind::Scalar) {
      if (isAt("["))
        return fail(here(),
                    fmt::format("`{}` is one number and takes no index", param.name),
                    fmt::format("write: {}", param.name));
      return builder.param(index, span);
    }
    const char* wanted = param.kind == ParamKind::PerHead ? "h" : "t";
    const Span bracket = here();
    const bool isIndexed = takeIf("[") && takeIf(wanted) && takeIf("]");
    if (!isIndexed)
      return fail(
          bracket,
          fmt::format("`{}` has a number per {}", param.name, *wanted == 'h' ? "head" : "token"),
          fmt::format("write: {}[{}]", param.name, wanted));
    if (!scope.isListed[static_cast<std::size_t>(*findRuleArgument(wanted))])
      return fail(span,
                  fmt::format("`{}` is not among the arguments of `{}`", wanted, scope.rule),
                  fmt::format("name it: {}({}, ...) =", scope.rule, wanted));
    return builder.param(index, span);
  }

  Place parseCall(const ExprInfo& function, Span span) {
    if (!takeIf("("))
      return fail(here(),
                  fmt::format("`{}` is a function", function.spelling),
                  fmt::format("write: {}", function.example));
    std::vector<Place> operands;
    if (!isAt(")"))
      do
        operands.push_back(parseLevel(ExprLevel::Or));
      while (takeIf(","));
    expect(")");
    if (builder.failed())
      return -1;
    if (static_cast<int>(operands.size()) != function.operands)
      return fail(span,
                  fmt::format("`{}` takes {} argument{}, found {}",
                              function.spelling,
                              function.operands,
                              function.operands == 1 ? "" : "s",
                              operands.size()),
                  fmt::format("write: {}", function.example));
    return builder.make(function.op, span, operands);
  }

  /// Counts nesting, so that no text makes the parser's own stack overflow.
  class Depth {
  public:
    explicit Depth(ExprParser& parser) : parser(parser) {
      if (++parser.depth > kDeepestExpression && !parser.builder.failed())
        parser.fail(parser.here(),
                    fmt::format("the expression is nested more than {} deep", kDeepestExpression),
                    "drop parentheses: + and * join any number of terms without them");
    }

    ~Depth() { --parser.depth; }

    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;

  private:
    ExprParser& parser;
  };

  std::span<const ast::Argument> tokens;
  Span end;
  const RuleScope& scope;
  std::vector<bool>& isUsed;
  ExprBuilder builder;
  std::size_t at = 0;
  int depth = 0;
};

} // namespace

std::optional<Rule> parseRule(std::span<const ast::Argument> tokens,
                              Span end,
                              ExprType wanted,
                              const RuleScope& scope,
                              std::vector<bool>& isUsed,
                              DiagnosticList& diagnostics) {
  return ExprParser(tokens, end, scope, isUsed, diagnostics).run(wanted);
}

} // namespace mlac
