// Ast: a spec as it is written, with places for diagnostics and comments for the formatter.
#pragma once

#include "common/SourceText.h"
#include "compiler/spec/Words.h"

#include <bitset>
#include <string>
#include <vector>

namespace mlac {
namespace ast {

enum class ArgumentKind { Word, Number, Symbol };

/// One token after a line's word: `topk`, `2048`, `..`. Numbers stay as they are written.
struct Argument {
  ArgumentKind kind = ArgumentKind::Word;
  std::string text;
  Span span;
};

/// Comments with their `#`, without trailing blanks. In `above`, "" stands for one or more blank
/// lines.
struct Comments {
  std::vector<std::string> above;
  std::string beside; ///< at the end of the same line; empty for none

  friend bool operator==(const Comments&, const Comments&) = default;
};

/// One line of an attention: `iterate topk 2048 logical`.
struct Setting {
  Word word = Word::Heads;
  std::vector<Argument> arguments;
  Comments comments;
  Span wordSpan;
  Span span; ///< word and arguments
};

/// `attention NAME { ... }`, settings in the order in which they are written.
struct Attention {
  std::string name;
  Span nameSpan;
  std::vector<Setting> settings;
  Comments comments;                  ///< above the attention, and after its `{`
  std::vector<std::string> lastLines; ///< comments between the last setting and `}`
  std::string besideClose;            ///< comment after `}`
  /// Words whose line was begun but could not be read. They are not reported as missing.
  std::bitset<kWordCount> damaged;
};

/// The words that begin a line of a record.
enum class RecordWord { Latent, Rope, Scale, Pad, PageTail, PageAlign };

/// One line of a record: `scale f32 per 128 of latent`. `page_tail` has lines of its own.
struct RecordLine {
  RecordWord word = RecordWord::Latent;
  std::vector<Argument> arguments;
  Comments comments;
  Span wordSpan;
  Span span;                          ///< word and arguments
  std::vector<RecordLine> tail;       ///< of `page_tail`
  std::vector<std::string> lastLines; ///< of `page_tail`: comments before its `}`
  std::string besideClose;            ///< of `page_tail`
};

/// `record NAME { ... }`.
struct Record {
  std::string name;
  Span nameSpan;
  std::vector<RecordLine> lines;
  Comments comments;                  ///< above the record, and after its `{`
  std::vector<std::string> lastLines; ///< comments between the last line and `}`
  std::string besideClose;            ///< comment after `}`
  std::size_t attentionsBefore = 0;   ///< how many attentions of the file stand before it
  bool isDamaged = false;             ///< some of it could not be read
};

// Equality is that of what is written: places do not count.
bool operator==(const Argument& left, const Argument& right);
bool operator==(const Setting& left, const Setting& right);
bool operator==(const Attention& left, const Attention& right);
bool operator==(const RecordLine& left, const RecordLine& right);
bool operator==(const Record& left, const Record& right);

} // namespace ast

/// A parsed file. Owns all its text: the source may go away.
struct ParsedSpec {
  std::vector<ast::Attention> attentions;
  std::vector<ast::Record> records;
  std::vector<std::string> lastLines; ///< comments after the last attention or record

  friend bool operator==(const ParsedSpec&, const ParsedSpec&) = default;
};

} // namespace mlac
