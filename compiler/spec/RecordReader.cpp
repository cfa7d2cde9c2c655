#include "compiler/spec/RecordReader.h"

#include "compiler/spec/ArgumentReader.h"
#include "compiler/spec/RecordParser.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace mlac {
namespace {

using ast::RecordLine;
using ast::RecordWord;

constexpr WholeRange kCount{16, 8192, 16};
constexpr WholeRange kGroup{1, 8192, 1};
constexpr WholeRange kPad{1, kMaxRecordBytes, 1};
constexpr WholeRange kPageAlign{1, 65536, 1};

class RecordReader {
public:
  RecordReader(Record& record, std::vector<Span>& places, DiagnosticList& diagnostics)
      : record(record), places(places), diagnostics(diagnostics) {}

  bool run(const ast::Record& written) {
    record.name = written.name;
    for (const RecordLine& line : written.lines)
      readLine(line, false);
    scaleNarrowFields();
    moveTailBack();
    return !hasFailed;
  }

private:
  void readLine(const RecordLine& line, bool inTail) {
    if (isRepeated(line))
      return;
    if (line.word == RecordWord::PageTail) {
      for (const RecordLine& inner : line.tail)
        readLine(inner, true);
      return;
    }
    ArgumentReader arguments(line, exampleOf(line.word), diagnostics);
    readArguments(arguments, line, inTail);
    arguments.finish();
    hasFailed |= arguments.failed();
  }

  void readArguments(ArgumentReader& arguments, const RecordLine& line, bool inTail) {
    switch (line.word) {
    case RecordWord::Latent:
      return readData(arguments, line, FieldKind::Latent);
    case RecordWord::Rope:
      return readData(arguments, line, FieldKind::Rope);
    case RecordWord::Scale:
      return readScale(arguments, line, inTail);
    case RecordWord::Pad:
      return add({.kind = FieldKind::Pad,
                  .count = arguments.takeWhole("pad", kPad).value_or(1),
                  .inTail = inTail},
                 line.span);
    case RecordWord::PageAlign:
      record.pageAlign = arguments.takeWhole("page_align", kPageAlign).value_or(1);
      return;
    case RecordWord::PageTail:
      return;
    }
  }

  void readData(ArgumentReader& arguments, const RecordLine& line, FieldKind kind) {
    RecordField field{.kind = kind, .type = takeType(arguments)};
    if (arguments.takeIf("x"))
      field.count = arguments.takeWhole(fieldKindName(kind), kCount).value_or(0);
    add(field, line.span);
  }

  void readScale(ArgumentReader& arguments, const RecordLine& line, bool inTail) {
    RecordField field{.kind = FieldKind::Scale, .type = takeType(arguments), .inTail = inTail};
    arguments.expect("per");
    const bool isPerTensor = arguments.takeIf("tensor").has_value();
    if (!isPerTensor)
      field.group = arguments.takeWhole("a group", kGroup).value_or(1);
    if (isPerTensor && arguments.atEnd()) {
      perTensor = field;
      perTensorPlace = line.span;
      return;
    }
    arguments.expect("of");
    constexpr std::array<std::string_view, 2> kParts = {"latent", "rope"};
    const bool isRope = arguments.takeChoice("what a scale multiplies", kParts) == 1;
    field.of = isRope ? FieldKind::Rope : FieldKind::Latent;
    add(field, line.span);
  }

  FieldType takeType(ArgumentReader& arguments) {
    return static_cast<FieldType>(
        arguments.takeChoice("an element type", fieldTypeNames()).value_or(0));
  }

  /// `scale f32 per tensor` scales whatever needs one and has none of its own; else the latent
  /// part.
  void scaleNarrowFields() {
    if (!perTensor)
      return;
    std::vector<FieldKind> parts;
    for (const FieldKind part : {FieldKind::Latent, FieldKind::Rope}) {
      const RecordField* const data = record.find(part);
      if (data != nullptr && isNarrow(data->type) && record.findScale(part) == nullptr)
        parts.push_back(part);
    }
    if (parts.empty())
      parts.push_back(FieldKind::Latent);
    for (const FieldKind part : parts) {
      perTensor->of = part;
      add(*perTensor, perTensorPlace);
    }
  }

  /// Where `page_tail` stands among the lines says nothing; its fields come last.
  void moveTailBack() {
    std::vector<RecordField> fields;
    std::vector<Span> moved;
    for (const bool inTail : {false, true})
      for (std::size_t index = 0; index < record.fields.size(); ++index)
        if (record.fields[index].inTail == inTail) {
          fields.push_back(record.fields[index]);
          moved.push_back(places[index]);
        }
    record.fields = std::move(fields);
    places = std::move(moved);
  }

  /// Words that give no field stand once; what gives one is counted by faultOf.
  bool isRepeated(const RecordLine& line) {
    if (line.word != RecordWord::PageTail && line.word != RecordWord::PageAlign)
      return false;
    const RecordLine*& first = line.word == RecordWord::PageTail ? pageTail : pageAlign;
    if (first == nullptr) {
      first = &line;
      return false;
    }
    diagnostics.add(errorAt(line.wordSpan,
                            fmt::format("`{}` is written twice; it stands once in a record",
                                        spellingOf(line.word)))
                        .withNote(first->wordSpan, "first written here")
                        .withHelp("keep one of the two"));
    hasFailed = true;
    return true;
  }

  void add(const RecordField& field, Span place) {
    record.fields.push_back(field);
    places.push_back(place);
  }

  Record& record;
  std::vector<Span>& places;
  DiagnosticList& diagnostics;
  std::optional<RecordField> perTensor; ///< a scale per tensor that does not say of what
  Span perTensorPlace;
  const RecordLine* pageTail = nullptr;
  const RecordLine* pageAlign = nullptr;
  bool hasFailed = false;
};

} // namespace

bool readRecord(const ast::Record& written,
                Record& record,
                std::vector<Span>& places,
                DiagnosticList& diagnostics) {
  return RecordReader(record, places, diagnostics).run(written);
}

} // namespace mlac
