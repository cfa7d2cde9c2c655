#include "compiler/spec/RuleSema.h"

#include "compiler/spec/ExprParser.h"
#include "compiler/spec/FoldExpr.h"
#include "compiler/spec/MaskBounds.h"
#include "compiler/spec/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace mlac {
namespace {

constexpr WholeRange kAnyWhole{std::numeric_limits<int>::min(), std::numeric_limits<int>::max(), 1};

/// What the language keeps for itself where a parameter's name could stand.
bool isTakenName(std::string_view name) {
  constexpr std::array<std::string_view, 10> kWords = {
      "score", "mask", "param", "sink", "per", "head", "token", "f32", "i32", "inf"};
  return findRuleArgument(name) || findFunction(name) != nullptr ||
         std::find(kWords.begin(), kWords.end(), name) != kWords.end();
}

class RuleSema {
public:
  RuleSema(const ast::Attention& attention, VariantDraft& draft, DiagnosticList& diagnostics)
      : attention(attention), draft(draft), variant(draft.variant), diagnostics(diagnostics) {}

  void run() {
    for (const ast::Setting& setting : attention.settings) {
      if (setting.word == Word::Param)
        readParam(setting);
      if (setting.word == Word::Sink)
        readSink(setting);
    }
    // A parameter whose line is wrong would seem unknown to the rules.
    if (hasFailed || attention.damaged.test(static_cast<std::size_t>(Word::Param)))
      return;
    isUsed.resize(variant.params.size());
    for (const ast::Setting& setting : attention.settings) {
      if (setting.word == Word::Score)
        readRule(setting, ExprType::F32, variant.score);
      if (setting.word == Word::Mask && readRule(setting, ExprType::Bool, variant.mask))
        checkMask(setting);
    }
    const bool isDamaged = attention.damaged.test(static_cast<std::size_t>(Word::Score)) ||
                           attention.damaged.test(static_cast<std::size_t>(Word::Mask));
    if (!hasFailed && !isDamaged)
      reportUnused();
  }

private:
  void readParam(const ast::Setting& setting) {
    ArgumentReader arguments(setting, diagnostics);
    RuleParam param;
    const ast::Argument* name = arguments.peek();
    const Span place = arguments.here();
    if (name == nullptr || name->kind != ast::ArgumentKind::Word)
      arguments.fail(place, "a parameter needs a name", arguments.example());
    else
      param.name = name->text;
    arguments.takeIf(param.name);
    arguments.expect(":");
    constexpr std::array<std::string_view, 2> kTypes = {"f32", "i32"};
    const bool isWhole = arguments.takeChoice("a parameter's type", kTypes) == 1;
    param.type = isWhole ? ExprType::I32 : ExprType::F32;
    if (arguments.takeIf("per"))
      readKind(arguments, param);
    if (arguments.takeIf("="))
      readDefault(arguments, param);
    arguments.finish();
    if (!arguments.failed())
      addParam(std::move(param), place);
    hasFailed |= arguments.failed();
  }

  static void readKind(ArgumentReader& arguments, RuleParam& param) {
    constexpr std::array<std::string_view, 2> kKinds = {"head", "token"};
    const bool isPerToken = arguments.takeChoice("`per`", kKinds) == 1;
    param.kind = isPerToken ? ParamKind::PerToken : ParamKind::PerHead;
  }

  static void readDefault(ArgumentReader& arguments, RuleParam& param) {
    const Span place = arguments.here();
    if (param.type == ExprType::F32) {
      if (const auto value = arguments.takeReal(param.name))
        param.value = *value;
    } else if (const auto value = arguments.takeWhole(param.name, kAnyWhole)) {
      param.value = *value;
    }
    if (param.kind != ParamKind::Scalar)
      arguments.fail(place,
                     "a default is one number, and this parameter has many",
                     "drop the default: the launch passes an array");
  }

  void addParam(RuleParam param, Span place) {
    const auto refuse = [&](std::string message, std::string help) {
      diagnostics.add(errorAt(place, std::move(message)).withHelp(std::move(help)));
      hasFailed = true;
    };
    if (isTakenName(param.name))
      return refuse(fmt::format("{} already means something in rules", quoteForMessage(param.name)),
                    "choose another name, such as `cap`");
    const auto reason = param.name.starts_with('_') ? std::optional<std::string>("begins with `_`")
                                                    : whyNameIsRefused(param.name);
    if (reason)
      return refuse(fmt::format("the name {} {}", quoteForMessage(param.name), *reason),
                    "choose another name, such as `cap`");
    for (std::size_t index = 0; index < variant.params.size(); ++index)
      if (variant.params[index].name == param.name) {
        diagnostics.add(errorAt(place,
                                fmt::format("there is already a parameter named {}",
                                            quoteForMessage(param.name)))
                            .withNote(places[index], "the first one is here")
                            .withHelp("give each parameter its own name"));
        hasFailed = true;
        return;
      }
    if (variant.params.size() == kMaxRuleParams)
      return refuse(fmt::format("an attention has at most {} parameters", kMaxRuleParams),
                    "write fixed numbers where they are used");
    variant.params.push_back(std::move(param));
    places.push_back(place);
  }

  void readSink(const ast::Setting& setting) {
    ArgumentReader arguments(setting, diagnostics);
    arguments.expect("per");
    arguments.expect("head");
    arguments.finish();
    variant.sink = true;
  }

  /// Reads `(s, h, q, k) =` and what follows.
  bool readRule(const ast::Setting& setting, ExprType wanted, Rule& rule) {
    ArgumentReader arguments(setting, diagnostics);
    RuleScope scope;
    scope.rule = infoOf(setting.word).spelling;
    scope.params = variant.params;
    scope.physical = draft.physical;
    readArguments(arguments, setting.word == Word::Mask, scope);
    arguments.expect("=");
    if (!arguments.failed())
      if (auto read = parseRule(
              arguments.rest(), {setting.span.end(), 0}, wanted, scope, isUsed, diagnostics)) {
        rule = std::move(*read);
        return true;
      }
    hasFailed = true;
    return false;
  }

  static void readArguments(ArgumentReader& arguments, bool isMask, RuleScope& scope) {
    constexpr std::array<std::string_view, 5> kNames = {"h", "q", "k", "t", "s"};
    const auto choices = std::span(kNames).first(isMask ? 4 : 5);
    arguments.expect("(");
    bool isFirst = true;
    while (!arguments.failed() && !arguments.takeIf(")")) {
      if (!isFirst)
        arguments.expect(",");
      isFirst = false;
      const Span place = arguments.here();
      const auto choice = arguments.takeChoice(
          isMask ? "an argument of `mask`" : "an argument of `score`", choices);
      if (!choice)
        return;
      bool& isListed = scope.isListed[static_cast<std::size_t>(*findRuleArgument(kNames[*choice]))];
      if (isListed)
        arguments.fail(
            place, fmt::format("`{}` is listed twice", kNames[*choice]), "keep one of them");
      isListed = true;
    }
  }

  void checkMask(const ast::Setting& setting) {
    const Rule settled = settleRule(variant.mask, variant.params);
    const bool isEmpty = isNever(settled) || boundsOfMask(settled).isEmpty();
    if (!isEmpty)
      return;
    diagnostics.add(errorAt(setting.span, "this mask keeps no key, wherever the query stands")
                        .withHelp("a mask is true for the keys to keep: mask(q, k) = k <= q"));
    hasFailed = true;
  }

  void reportUnused() {
    for (std::size_t index = 0; index < variant.params.size(); ++index)
      if (!isUsed[index])
        diagnostics.add(errorAt(places[index],
                                fmt::format("parameter `{}` is not used by `score` or `mask`",
                                            variant.params[index].name))
                            .withHelp("use it, or remove the line"));
  }

  const ast::Attention& attention;
  VariantDraft& draft;
  Variant& variant;
  DiagnosticList& diagnostics;
  std::vector<Span> places; ///< of the parameters' names
  std::vector<bool> isUsed; ///< by parameter
  bool hasFailed = false;
};

} // namespace

void checkRules(const ast::Attention& attention, VariantDraft& draft, DiagnosticList& diagnostics) {
  RuleSema(attention, draft, diagnostics).run();
}

} // namespace mlac
