#include "tools/mlac/RecordPicture.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mlac {
namespace {

/// `e4m3 x 512`, `f32 per 128 of latent`.
std::string contentOf(const RecordField& field) {
  const char* const type = fieldTypeName(field.type);
  switch (field.kind) {
  case FieldKind::Pad:
    return "";
  case FieldKind::Scale:
    return field.group == 0
               ? fmt::format("{} of {}, an argument of the launch", type, fieldKindName(field.of))
               : fmt::format("{} per {} of {}", type, field.group, fieldKindName(field.of));
  default:
    return fmt::format("{} x {}", type, field.count);
  }
}

/// The fields of a token or of its share of the tail as boxes in a row, offsets above their walls.
std::string boxesOf(const Record& record, const RecordLayout& layout, bool inTail) {
  std::string offsets = "  ";
  std::string wall = "  ";
  std::string names = "  ";
  for (std::size_t index = 0; index < record.fields.size(); ++index) {
    const RecordField& field = record.fields[index];
    if (field.inTail != inTail || field.bytes() == 0)
      continue;
    const std::string name = fmt::format("{} {}", fieldKindName(field.kind), field.bytes());
    const std::string offset = fmt::format("{}", layout.offsets[index]);
    const std::size_t width = std::max(name.size() + 2, offset.size() + 1);
    offsets += fmt::format("{:<{}}", offset, width + 1);
    wall += fmt::format("+{:-<{}}", "", width);
    names += fmt::format("|{:^{}}", name, width);
  }
  const int bytes = inTail ? layout.tailBytes : layout.tokenBytes;
  return fmt::format("{}{}\n{}+\n{}|\n{}+\n", offsets, bytes, wall, names, wall);
}

std::string fieldLines(const Record& record, const RecordLayout& layout) {
  std::string text = fmt::format("  {:>7} {:>7}  field\n", "offset", "bytes");
  for (std::size_t index = 0; index < record.fields.size(); ++index) {
    const RecordField& field = record.fields[index];
    const bool isStored = field.bytes() > 0;
    std::string line = fmt::format("  {:>7} {:>7}  {:<6} {}",
                                   isStored ? fmt::format("{}", layout.offsets[index]) : "",
                                   isStored ? fmt::format("{}", field.bytes()) : "",
                                   fieldKindName(field.kind),
                                   contentOf(field));
    if (field.inTail)
      line += line.ends_with(' ') ? "in the tail" : ", in the tail";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

/// Bytes of a page that hold nothing.
std::int64_t unusedBytes(const RecordLayout& layout, int page) {
  return layout.pageBytes(page) - std::int64_t{page} * (layout.tokenBytes + layout.tailBytes);
}

std::string pageText(const RecordLayout& layout, int page) {
  std::string text = fmt::format("  page: {} x {} B", page, layout.tokenBytes);
  if (layout.tailBytes > 0)
    text += fmt::format(", at {} a tail of {} x {} B",
                        std::int64_t{page} * layout.tokenBytes,
                        page,
                        layout.tailBytes);
  if (const std::int64_t unused = unusedBytes(layout, page); unused > 0)
    text += fmt::format(", {} B unused", unused);
  return text + fmt::format("; {} B\n", layout.pageBytes(page));
}

} // namespace

std::string recordText(const Variant& variant) {
  const Record record = variant.record();
  const RecordLayout layout = layoutOf(record);
  std::string text = fmt::format("record {}, {} B a token:\n", record.name, variant.recordBytes()) +
                     boxesOf(record, layout, false);
  if (layout.tailBytes > 0)
    text += "  and in the tail of its page:\n" + boxesOf(record, layout, true);
  text += fieldLines(record, layout) + pageText(layout, variant.page);
  if (variant.rope == 0 && record.find(FieldKind::Rope) != nullptr)
    text += "  this attention passes over the rope field\n";
  return text;
}

Json recordJson(const Variant& variant) {
  const Record record = variant.record();
  const RecordLayout layout = layoutOf(record);
  Json json = {{"name", record.name},
               {"tokenBytes", layout.tokenBytes},
               {"tailBytes", layout.tailBytes},
               {"alignment", layout.alignment},
               {"pageTokens", variant.page},
               {"pageBytes", layout.pageBytes(variant.page)},
               {"unusedBytes", unusedBytes(layout, variant.page)},
               {"fields", Json::array()}};
  for (std::size_t index = 0; index < record.fields.size(); ++index) {
    const RecordField& field = record.fields[index];
    json["fields"].push_back({{"kind", fieldKindName(field.kind)},
                              {"content", contentOf(field)},
                              {"offset", layout.offsets[index]},
                              {"bytes", field.bytes()},
                              {"inTail", field.inTail}});
  }
  return json;
}

} // namespace mlac
