#include "compiler/spec/SettingRules.h"

#include <fmt/format.h>

#include <array>
#include <limits>

namespace mlac {
namespace {

constexpr WholeRange kHeads{1, 128, 1};
constexpr WholeRange kLatent{16, 8192, 16};
constexpr WholeRange kRope{0, 1024, 16};
constexpr WholeRange kPage{1, 2304, 1};
constexpr WholeRange kTopk{1, 65536, 1};
constexpr WholeRange kPositive{1, std::numeric_limits<int>::max(), 1};

constexpr std::array<ElementType, 3> kElementTypes = {
    ElementType::BF16, ElementType::F16, ElementType::F32};
constexpr std::array<std::string_view, 3> kElementNames = {
    elementName(kElementTypes[0]), elementName(kElementTypes[1]), elementName(kElementTypes[2])};
constexpr std::span<const std::string_view> kHalfNames = std::span(kElementNames).first(2);

void readHeads(ArgumentReader& arguments, VariantDraft& draft) {
  draft.variant.heads = arguments.takeWhole("heads", kHeads).value_or(0);
}

void readLatent(ArgumentReader& arguments, VariantDraft& draft) {
  draft.variant.latent = arguments.takeWhole("latent", kLatent).value_or(0);
}

void readRope(ArgumentReader& arguments, VariantDraft& draft) {
  draft.variant.rope = arguments.takeWhole("rope", kRope).value_or(0);
}

void readValue(ArgumentReader& arguments, VariantDraft& draft) {
  constexpr std::array<std::string_view, 2> kChoices = {"latent", "record"};
  draft.variant.valueIsRecord = arguments.takeChoice("value", kChoices) == 1;
}

void readQuery(ArgumentReader& arguments, VariantDraft& draft) {
  draft.variant.query = kElementTypes[arguments.takeChoice("q", kHalfNames).value_or(0)];
}

/// The record's sizes are compared with the attention's once all its lines are read.
void readCache(ArgumentReader& arguments, VariantDraft& draft) {
  const ast::Argument* const name = arguments.peek();
  if (name == nullptr || name->kind != ast::ArgumentKind::Word || name->text == "page")
    return arguments.fail(arguments.here(), "expected the name of a record", arguments.example());
  draft.recordPlace = name->span;
  draft.record = draft.records->find(name->text);
  if (draft.record == nullptr)
    return arguments.fail(name->span,
                          fmt::format("there is no record {}", quoteForMessage(name->text)),
                          draft.records->helpFor(name->text));
  arguments.takeIf(name->text);
  arguments.expect("page");
  draft.variant.page = arguments.takeWhole("page", kPage).value_or(0);
}

void readTopk(ArgumentReader& arguments, VariantDraft& draft) {
  draft.variant.topk = arguments.takeWhole("topk", kTopk).value_or(0);
  constexpr std::array<std::string_view, 2> kIndices = {"logical", "physical"};
  const Span place = arguments.here();
  const bool isPhysical = arguments.takeChoice("the indices", kIndices) == 1;
  draft.variant.iterate = isPhysical ? IterateKind::TopkPhysical : IterateKind::TopkLogical;
  if (isPhysical)
    draft.physical = place;
}

void readIterate(ArgumentReader& arguments, VariantDraft& draft) {
  constexpr std::array<std::string_view, 3> kChoices = {"topk", "dense", "window"};
  switch (arguments.takeChoice("iterate", kChoices).value_or(1)) {
  case 0:
    return readTopk(arguments, draft);
  case 1:
    draft.variant.iterate = IterateKind::Dense;
    return;
  default:
    draft.variant.iterate = IterateKind::Window;
    draft.variant.window = arguments.takeWhole("window", kPositive).value_or(0);
  }
}

void readQueryCount(ArgumentReader& arguments, Variant& variant) {
  const Span first = arguments.here();
  variant.minQueries = arguments.takeWhole("queries", kPositive).value_or(1);
  variant.maxQueries = variant.minQueries;
  if (!arguments.takeIf(".."))
    return;
  const std::size_t end = arguments.here().end();
  variant.maxQueries = arguments.takeWhole("queries", kPositive).value_or(variant.minQueries);
  if (variant.maxQueries >= variant.minQueries)
    return;
  arguments.fail({first.offset, end - first.offset},
                 fmt::format("queries go from {} down to {}; the first must not exceed the second",
                             variant.minQueries,
                             variant.maxQueries),
                 fmt::format("write: queries {}..{}", variant.maxQueries, variant.minQueries));
}

void readQueries(ArgumentReader& arguments, VariantDraft& draft) {
  if (arguments.takeIf("any"))
    draft.variant.maxQueries = 0;
  else
    readQueryCount(arguments, draft.variant);
  draft.causal = arguments.takeIf("causal");
  draft.variant.causal = draft.causal.has_value();
}

void readScale(ArgumentReader& arguments, VariantDraft& draft) {
  if (!arguments.takeIf("runtime"))
    draft.variant.scale = arguments.takeReal("scale");
}

void readLse(ArgumentReader& arguments, VariantDraft& draft) {
  constexpr std::array<std::string_view, 3> kChoices = {"natural", "base2", "none"};
  constexpr std::array<LseMode, 3> kModes = {LseMode::Natural, LseMode::Base2, LseMode::None};
  draft.variant.lse = kModes[arguments.takeChoice("lse", kChoices).value_or(2)];
  draft.hasLse = true;
}

void readEmpty(ArgumentReader& arguments, VariantDraft& draft) {
  draft.variant.emptyLsePositive = arguments.takeIf("+").has_value();
  if (!draft.variant.emptyLsePositive && !arguments.takeIf("-"))
    arguments.fail(arguments.here(),
                   "an empty row's LSE must be `+inf` or `-inf`",
                   "write: output bf16 lse natural empty +inf");
  arguments.expect("inf");
  draft.hasEmpty = true;
}

void readOutput(ArgumentReader& arguments, VariantDraft& draft) {
  draft.variant.output = kElementTypes[arguments.takeChoice("output", kElementNames).value_or(0)];
  constexpr std::size_t kLse = 0;
  constexpr std::size_t kEmpty = 1;
  constexpr std::array<std::string_view, 3> kOptions = {"lse", "empty", "max_logit"};
  std::array<std::optional<Span>, 3> places;
  while (!arguments.failed() && !arguments.atEnd()) {
    const Span place = arguments.here();
    const auto option = arguments.takeChoice("an output option", kOptions);
    if (!option)
      return;
    if (places[*option])
      return arguments.fail(
          place, fmt::format("`{}` is written twice", kOptions[*option]), "keep one of them");
    places[*option] = place;
    if (*option == kLse)
      readLse(arguments, draft);
    else if (*option == kEmpty)
      readEmpty(arguments, draft);
    else
      draft.variant.maxLogit = true;
  }
  const std::optional<Span>& empty = places[kEmpty];
  if (empty && draft.variant.lse == LseMode::None)
    arguments.fail(*empty,
                   "`empty` sets the LSE of a row without keys, and this attention has no `lse`",
                   "write: output bf16 lse natural empty +inf; or remove `empty`");
}

using SettingRule = void (*)(ArgumentReader&, VariantDraft&);

/// Indexed by Word; those of rules come behind and are not read here.
constexpr std::array<SettingRule, 10> kRules = {readHeads,
                                                readLatent,
                                                readRope,
                                                readValue,
                                                readQuery,
                                                readCache,
                                                readIterate,
                                                readQueries,
                                                readScale,
                                                readOutput};

} // namespace

void applySetting(Word word, ArgumentReader& arguments, VariantDraft& draft) {
  kRules[static_cast<std::size_t>(word)](arguments, draft);
  arguments.finish();
}

} // namespace mlac
