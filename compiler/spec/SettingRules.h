// SettingRules: what each word accepts after it, and what it sets in the variant.
#pragma once

#include "common/Variant.h"
#include "compiler/spec/ArgumentReader.h"
#include "compiler/spec/RecordTable.h"

#include <optional>

namespace mlac {

/// A variant being checked, with the places that rules across several words need.
struct VariantDraft {
  Variant variant;
  std::optional<Span> causal;                 ///< where `causal` stands
  std::optional<Span> physical;               ///< where `physical` stands
  const RecordTable* records = nullptr;       ///< what `cache` may name
  const RecordTable::Entry* record = nullptr; ///< what it names
  Span recordPlace;
  bool hasLse = false;   ///< `lse` is written, `lse none` included
  bool hasEmpty = false; ///< `empty` is written
};

/// Reads all arguments of `word`'s line into the draft; what is wrong is reported through the
/// reader.
void applySetting(Word word, ArgumentReader& arguments, VariantDraft& draft);

} // namespace mlac
