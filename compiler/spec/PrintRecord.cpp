// A record as the spec text that describes it.
#include "compiler/spec/PrintVariant.h"

#include <fmt/format.h>

namespace mlac {
namespace {

std::string fieldText(const RecordField& field) {
  const char* const kind = fieldKindName(field.kind);
  if (field.kind == FieldKind::Pad)
    return fmt::format("{:<6} {}", kind, field.count);
  const char* const type = fieldTypeName(field.type);
  if (field.kind == FieldKind::Scale) {
    const std::string group = field.group == 0 ? "tensor" : fmt::format("{}", field.group);
    return fmt::format("{:<6} {} per {} of {}", kind, type, group, fieldKindName(field.of));
  }
  if (field.count == 0)
    return fmt::format("{:<6} {}", kind, type);
  return fmt::format("{:<6} {} x {}", kind, type, field.count);
}

std::string linesOf(const Record& record, bool inTail, const char* indent) {
  std::string text;
  for (const RecordField& field : record.fields)
    if (field.inTail == inTail)
      text += fmt::format("{}{}\n", indent, fieldText(field));
  return text;
}

} // namespace

std::string printRecord(const Record& record) {
  std::string text = fmt::format("record {} {{\n", record.name) + linesOf(record, false, "  ");
  const std::string tail = linesOf(record, true, "    ");
  if (!tail.empty())
    text += "  page_tail {\n" + tail + "  }\n";
  if (record.pageAlign > 1)
    text += fmt::format("  page_align {}\n", record.pageAlign);
  return text + "}\n";
}

} // namespace mlac
