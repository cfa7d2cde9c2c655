#include "compiler/spec/RecordTable.h"

#include "common/Diagnostic.h"
#include "compiler/spec/Names.h"
#include "compiler/spec/RecordReader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace mlac {
namespace {

using Entry = RecordTable::Entry;

void report(const Entry& entry, const RecordFault& fault, DiagnosticList& diagnostics) {
  const bool hasPlace = fault.field >= 0 && std::cmp_less(fault.field, entry.fields.size());
  const Span place = hasPlace ? entry.fields[static_cast<std::size_t>(fault.field)] : entry.place;
  diagnostics.add(errorAt(place, fault.message).withHelp(fault.remedy));
}

/// The printer writes bf16 and f16 without a record, so they keep their meaning.
std::optional<std::string> whyRecordNameIsRefused(std::string_view name) {
  if (name == elementName(ElementType::BF16) || name == elementName(ElementType::F16))
    return "belongs to the language";
  return whyNameIsRefused(name);
}

/// A record whose lines state all sizes can be checked whole.
Record withScalesCounted(const Record& record) {
  const bool isComplete =
      std::all_of(record.fields.begin(), record.fields.end(), [](const RecordField& field) {
        return field.kind == FieldKind::Scale || field.count > 0;
      });
  return isComplete ? record.sized(0, 0) : record;
}

Entry readEntry(const ast::Record& written, DiagnosticList& diagnostics) {
  Entry entry{.place = written.nameSpan, .isOfFile = true, .isBroken = written.isDamaged};
  entry.isBroken |= !readRecord(written, entry.record, entry.fields, diagnostics);
  if (entry.isBroken)
    return entry;
  if (const auto reason = whyRecordNameIsRefused(written.name))
    diagnostics.add(errorAt(written.nameSpan,
                            fmt::format("the name {} {}", quoteForMessage(written.name), *reason))
                        .withHelp("choose another name, such as `my_record`"));
  if (const auto fault = faultOf(withScalesCounted(entry.record))) {
    report(entry, *fault, diagnostics);
    entry.isBroken = true;
  }
  return entry;
}

} // namespace

RecordTable::RecordTable(const std::vector<ast::Record>& records, DiagnosticList& diagnostics) {
  for (const ast::Record& written : records) {
    const Entry* const first = written.name.empty() ? nullptr : find(written.name);
    if (first != nullptr)
      diagnostics.add(
          errorAt(written.nameSpan,
                  fmt::format("there is already a record named {}", quoteForMessage(written.name)))
              .withNote(first->place, "the first one is here")
              .withHelp("give each record of a file its own name"));
    add(readEntry(written, diagnostics));
  }
  for (const Record& record : libraryRecords())
    add({.record = record});
}

void RecordTable::add(Entry entry) {
  places.try_emplace(entry.record.name, entries.size());
  entries.push_back(std::move(entry));
}

const Entry* RecordTable::find(std::string_view name) const {
  const auto found = places.find(std::string(name));
  return found == places.end() ? nullptr : &entries[found->second];
}

std::string RecordTable::helpFor(std::string_view name) const {
  // A file may hold very many; the first of them and the library's are looked at.
  constexpr std::size_t kLookedAt = 64;
  std::vector<std::string_view> names;
  for (std::size_t index = 0; index < entries.size(); ++index)
    if (index < kLookedAt || !entries[index].isOfFile)
      names.push_back(entries[index].record.name);
  if (const auto meant = nearest(name, names))
    return fmt::format("did you mean `{}`?", *meant);
  std::string help = "describe it with `record NAME { ... }`, or name one of";
  for (const Record& record : libraryRecords())
    help += " " + record.name;
  return help;
}

namespace {

/// Says that the attention has `wanted` elements of a part of which the record has `found`.
void reportCount(
    const Entry& entry, FieldKind kind, int wanted, Span place, DiagnosticList& diagnostics) {
  const char* const part = fieldKindName(kind);
  const RecordField* const field = entry.record.find(kind);
  const int found = field == nullptr ? 0 : field->count;
  Diagnostic error = errorAt(place,
                             fmt::format("`{}` is {}, and record {} holds {} such elements",
                                         part,
                                         wanted,
                                         entry.record.name,
                                         found));
  if (entry.isOfFile)
    error = std::move(error).withNote(
        field == nullptr
            ? entry.place
            : entry.fields[static_cast<std::size_t>(field - entry.record.fields.data())],
        "the record is described here");
  const bool isTooWide = kind == FieldKind::Rope && field == nullptr;
  diagnostics.add(std::move(error).withHelp(
      isTooWide ? std::string("write `rope 0`, or use a record with a `rope` field")
                : fmt::format("write `{} {}`, or use a record that fits", part, found)));
}

/// True where the record holds what the attention reads. An attention without a rotary part passes
/// over the record's.
bool checkCounts(
    const Entry& entry, int latent, int rope, Span place, DiagnosticList& diagnostics) {
  const auto fits = [&](FieldKind kind, int wanted) {
    const RecordField* const field = entry.record.find(kind);
    const bool isRight =
        field == nullptr ? wanted == 0 : field->count == 0 || field->count == wanted;
    if (!isRight)
      reportCount(entry, kind, wanted, place, diagnostics);
    return isRight;
  };
  const bool latentFits = fits(FieldKind::Latent, latent);
  return (rope == 0 || fits(FieldKind::Rope, rope)) && latentFits;
}

} // namespace

Record
recordFor(const Entry& entry, int latent, int rope, Span place, DiagnosticList& diagnostics) {
  for (const ElementType type : {ElementType::BF16, ElementType::F16})
    if (entry.record == Record(type))
      return entry.record;
  if (entry.isBroken || latent == 0 || !checkCounts(entry, latent, rope, place, diagnostics))
    return entry.record;
  Record record = entry.record.sized(latent, rope);
  if (const auto fault = faultOf(record)) {
    Diagnostic error = errorAt(
        place,
        fmt::format(
            "record {} with latent {} and rope {}: {}", record.name, latent, rope, fault->message));
    if (entry.isOfFile)
      error = std::move(error).withNote(entry.place, "the record is described here");
    diagnostics.add(std::move(error).withHelp(fault->remedy));
  }
  return record;
}

} // namespace mlac
