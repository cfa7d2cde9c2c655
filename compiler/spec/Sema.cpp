#include "compiler/spec/Sema.h"

#include "compiler/spec/Names.h"
#include "compiler/spec/RuleSema.h"
#include "compiler/spec/SettingRules.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace mlac {
namespace {

class Checker {
public:
  Checker(DiagnosticList& diagnostics, std::vector<TakenDefault>* defaults)
      : diagnostics(diagnostics), defaults(defaults) {}

  std::vector<Variant> run(const ParsedSpec& spec) {
    records.emplace(spec.records, diagnostics);
    std::vector<Variant> variants;
    variants.reserve(spec.attentions.size());
    for (const ast::Attention& attention : spec.attentions)
      variants.push_back(checkAttention(attention));
    if (spec.attentions.empty() && !diagnostics.hasErrors())
      diagnostics.add(errorAt({0, 0}, "the file holds no attention")
                          .withHelp("write: attention NAME { ... }; see docs/language.md"));
    if (diagnostics.hasErrors())
      variants.clear();
    return variants;
  }

private:
  Variant checkAttention(const ast::Attention& attention) {
    checkName(attention);
    VariantDraft draft;
    draft.variant.name = attention.name;
    draft.records = &*records;
    std::array<const ast::Setting*, kWordCount> settings{};
    for (const ast::Setting& setting : attention.settings) {
      const ast::Setting*& first = settings[static_cast<std::size_t>(setting.word)];
      if (first != nullptr && setting.word != Word::Param) {
        reportTwice(setting, *first);
        continue;
      }
      first = &setting;
      if (isRuleWord(setting.word))
        continue;
      ArgumentReader arguments(setting, diagnostics);
      applySetting(setting.word, arguments, draft);
    }
    reportMissing(attention, settings);
    checkCausal(draft);
    chooseRecord(draft);
    checkRules(attention, draft, diagnostics);
    noteDefaults(draft, settings);
    return std::move(draft.variant);
  }

  void checkName(const ast::Attention& attention) {
    if (attention.name.empty())
      return;
    if (const auto reason = whyNameIsRefused(attention.name))
      diagnostics.add(
          errorAt(attention.nameSpan,
                  fmt::format("the name {} {}", quoteForMessage(attention.name), *reason))
              .withHelp("choose another name, such as `glm5_decode`"));
    const auto [known, isNew] = names.try_emplace(attention.name, attention.nameSpan);
    if (!isNew)
      diagnostics.add(errorAt(attention.nameSpan,
                              fmt::format("there is already an attention named {}",
                                          quoteForMessage(attention.name)))
                          .withNote(known->second, "the first one is here")
                          .withHelp("give each attention of a file its own name"));
  }

  void reportTwice(const ast::Setting& second, const ast::Setting& first) {
    diagnostics.add(
        errorAt(second.wordSpan,
                fmt::format("`{}` is written twice; each word stands once in an attention",
                            infoOf(second.word).spelling))
            .withNote(first.wordSpan, "first written here")
            .withHelp("keep one of the two lines"));
  }

  void reportMissing(const ast::Attention& attention,
                     const std::array<const ast::Setting*, kWordCount>& settings) {
    for (const WordInfo& info : allWords()) {
      const auto index = static_cast<std::size_t>(info.word);
      if (!info.isRequired || settings[index] != nullptr || attention.damaged.test(index))
        continue;
      diagnostics.add(errorAt(attention.nameSpan,
                              fmt::format("attention {} lacks `{}`",
                                          quoteForMessage(attention.name),
                                          info.spelling))
                          .withHelp(fmt::format("write: {} ({})", info.example, info.remark)));
    }
  }

  void checkCausal(const VariantDraft& draft) {
    if (!draft.causal || !draft.physical)
      return;
    diagnostics.add(
        errorAt(*draft.causal,
                "`causal` compares positions, and a physical slot does not tell its key's position")
            .withNote(draft.physical, "the indices are physical here")
            .withHelp("write `logical` indices, or drop `causal` and let the indexer leave out "
                      "later keys"));
  }

  void chooseRecord(VariantDraft& draft) {
    Variant& variant = draft.variant;
    if (draft.record != nullptr)
      variant.cache =
          recordFor(*draft.record, variant.latent, variant.rope, draft.recordPlace, diagnostics);
  }

  void noteDefaults(const VariantDraft& draft,
                    const std::array<const ast::Setting*, kWordCount>& settings) {
    if (defaults == nullptr)
      return;
    const auto note = [&](std::string_view setting) {
      defaults->push_back({draft.variant.name, std::string(setting)});
    };
    // The example of a word with a default is that default.
    for (const WordInfo& info : allWords())
      if (!info.isRequired && info.hasDefault &&
          settings[static_cast<std::size_t>(info.word)] == nullptr)
        note(info.example);
    if (!draft.hasLse)
      note("lse none");
    else if (draft.variant.lse != LseMode::None && !draft.hasEmpty)
      note("empty -inf");
  }

  DiagnosticList& diagnostics;
  std::vector<TakenDefault>* defaults;
  std::optional<RecordTable> records;               ///< of the spec being checked
  std::unordered_map<std::string_view, Span> names; ///< views into the spec being checked
};

} // namespace

std::vector<Variant> checkSpec(const ParsedSpec& spec,
                               DiagnosticList& diagnostics,
                               std::vector<TakenDefault>* defaults) {
  return Checker(diagnostics, defaults).run(spec);
}

} // namespace mlac
