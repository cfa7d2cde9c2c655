#include "common/Record.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace mlac {
namespace {

constexpr std::array<std::string_view, 7> kTypeNames = {
    "e4m3", "e5m2", "e2m1", "e8m0", "bf16", "f16", "f32"};
constexpr std::array<int, 7> kTypeBits = {8, 8, 4, 8, 16, 16, 32};

std::int64_t roundUp(std::int64_t value, std::int64_t unit) {
  return (value + unit - 1) / unit * unit;
}

bool isData(const RecordField& field) {
  return field.kind == FieldKind::Latent || field.kind == FieldKind::Rope;
}

/// Of latent, rope and padding.
int countFor(const RecordField& field, int latent, int rope) {
  if (field.count > 0 || !isData(field))
    return field.count;
  return field.kind == FieldKind::Latent ? latent : rope;
}

FieldType toFieldType(ElementType type) {
  return type == ElementType::BF16  ? FieldType::BF16
         : type == ElementType::F16 ? FieldType::F16
                                    : FieldType::F32;
}

} // namespace

int fieldBits(FieldType type) {
  return kTypeBits[static_cast<std::size_t>(type)];
}

const char* fieldTypeName(FieldType type) {
  return kTypeNames[static_cast<std::size_t>(type)].data();
}

std::optional<FieldType> findFieldType(std::string_view name) {
  const auto found = std::find(kTypeNames.begin(), kTypeNames.end(), name);
  if (found == kTypeNames.end())
    return std::nullopt;
  return static_cast<FieldType>(found - kTypeNames.begin());
}

std::span<const std::string_view> fieldTypeNames() {
  return kTypeNames;
}

bool isNarrow(FieldType type) {
  return fieldBits(type) <= 8;
}

const char* fieldKindName(FieldKind kind) {
  constexpr std::array<const char*, 4> kNames = {"latent", "rope", "scale", "pad"};
  return kNames[static_cast<std::size_t>(kind)];
}

int RecordField::bytes() const {
  if (kind == FieldKind::Pad)
    return count;
  return count * fieldBits(type) / 8;
}

Record::Record(ElementType type) : name(elementName(type)) {
  for (const FieldKind kind : {FieldKind::Latent, FieldKind::Rope})
    fields.push_back({.kind = kind, .type = toFieldType(type)});
}

const RecordField* Record::find(FieldKind kind) const {
  const auto found = std::find_if(
      fields.begin(), fields.end(), [&](const RecordField& f) { return f.kind == kind; });
  return found == fields.end() ? nullptr : &*found;
}

const RecordField* Record::findScale(FieldKind of) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const RecordField& f) {
    return f.kind == FieldKind::Scale && f.of == of;
  });
  return found == fields.end() ? nullptr : &*found;
}

bool Record::hasTensorScale() const {
  return std::any_of(fields.begin(), fields.end(), [](const RecordField& f) {
    return f.kind == FieldKind::Scale && f.group == 0;
  });
}

Record Record::sized(int latent, int rope) const {
  Record result = *this;
  for (RecordField& field : result.fields)
    if (isData(field))
      field.count = countFor(field, latent, rope);
  const RecordField* const ropeField = result.find(FieldKind::Rope);
  if (ropeField != nullptr && ropeField->count == 0)
    std::erase_if(result.fields, [](const RecordField& f) {
      return f.kind == FieldKind::Rope || (f.kind == FieldKind::Scale && f.of == FieldKind::Rope);
    });
  for (RecordField& field : result.fields)
    if (field.kind == FieldKind::Scale && field.group > 0)
      if (const RecordField* const data = result.find(field.of))
        field.count = data->count / field.group;
  return result;
}

int Record::bytesPerToken(int latent, int rope) const {
  int bytes = 0;
  for (RecordField field : fields) {
    const RecordField* const data = field.kind == FieldKind::Scale ? find(field.of) : nullptr;
    if (data != nullptr)
      field.count = field.group == 0 ? 0 : countFor(*data, latent, rope) / field.group;
    else
      field.count = countFor(field, latent, rope);
    bytes += field.bytes();
  }
  return bytes;
}

std::optional<ElementType> Record::plainType(int latent, int rope) const {
  const Record mine = sized(latent, rope);
  for (const ElementType type : {ElementType::BF16, ElementType::F16})
    if (mine.pageAlign == 1 && mine.fields == Record(type).sized(latent, rope).fields)
      return type;
  return std::nullopt;
}

std::int64_t RecordLayout::pageBytes(int tokens, std::int64_t tokenStrideBytes) const {
  const std::int64_t unit = std::lcm(std::int64_t{pageAlign}, std::int64_t{alignment});
  return roundUp(tokens * (tokenStrideBytes + tailBytes), unit);
}

RecordLayout layoutOf(const Record& record) {
  RecordLayout layout;
  layout.pageAlign = record.pageAlign;
  layout.offsets.reserve(record.fields.size());
  for (const RecordField& field : record.fields) {
    int& end = field.inTail ? layout.tailBytes : layout.tokenBytes;
    layout.offsets.push_back(end);
    end += field.bytes();
    if (field.kind != FieldKind::Pad && field.bytes() > 0)
      layout.alignment = std::max(layout.alignment, fieldBits(field.type) / 8);
  }
  return layout;
}

} // namespace mlac
