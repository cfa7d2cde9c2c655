// Words: the vocabulary of the language, what is reserved, and what was probably meant.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mlac {

/// The words that begin a line of an attention, in the order in which the printer writes them.
enum class Word {
  Heads,
  Latent,
  Rope,
  Value,
  Query,
  Cache,
  Iterate,
  Queries,
  Scale,
  Output,
  Param,
  Score,
  Mask,
  Sink
};

inline constexpr std::size_t kWordCount = 14;

struct WordInfo {
  Word word;
  std::string_view spelling;
  std::string_view example; ///< a line that is right, for remedies
  std::string_view remark;  ///< what else might be written, for the remedy of a missing line
  bool isRequired;
  bool hasDefault = true; ///< of words that may be left out: the example is the default
};

/// A word of the whole language that this version does not implement.
struct ReservedWord {
  std::string_view spelling;
  std::string_view meaning; ///< completes "... is not supported yet"
  std::string_view remedy;
};

/// Every word, indexed by Word.
std::span<const WordInfo> allWords();

const WordInfo& infoOf(Word word);

/// True for the words whose lines say what is done to single keys: param, score, mask, sink.
bool isRuleWord(Word word);

std::optional<Word> findWord(std::string_view spelling);

/// Words that begin a line or a block.
const ReservedWord* findReservedWord(std::string_view spelling);

/// The candidate that differs least from `spelling`, if one is near enough to have been meant.
std::optional<std::string_view> nearest(std::string_view spelling,
                                        std::span<const std::string_view> candidates);

/// The word nearest to `spelling`.
std::optional<Word> nearestWord(std::string_view spelling);

} // namespace mlac
