// The rules of a record.
#include "common/Record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace mlac {
namespace {

using Fault = std::optional<RecordFault>;

constexpr int kMaxPageAlign = 65536;
constexpr int kDimsUnit = 16;
constexpr int kMaxLatent = 8192;
constexpr int kMaxRope = 1024;

bool isData(const RecordField& field) {
  return field.kind == FieldKind::Latent || field.kind == FieldKind::Rope;
}

Fault dataFault(const Record& record, int index) {
  const RecordField& field = record.fields[static_cast<std::size_t>(index)];
  const char* const name = fieldKindName(field.kind);
  if (record.find(field.kind) != &field)
    return RecordFault{index,
                       fmt::format("a record has one `{}` field, this is the second", name),
                       "keep one of the two lines"};
  if (field.inTail)
    return RecordFault{
        index,
        fmt::format("`{}` may not lie in the page tail, only scales and padding may", name),
        fmt::format("write the `{}` line outside `page_tail`", name)};
  if (field.type == FieldType::E8M0)
    return RecordFault{index,
                       fmt::format("`{}` may not be e8m0, which holds powers of two only", name),
                       "write e4m3, e5m2, e2m1, bf16, f16 or f32"};
  const int most = field.kind == FieldKind::Latent ? kMaxLatent : kMaxRope;
  if (field.count % kDimsUnit != 0 || field.count < 0 || field.count > most)
    return RecordFault{
        index,
        fmt::format("`{}` has {} elements; it must be a multiple of {} from {} to {}",
                    name,
                    field.count,
                    kDimsUnit,
                    kDimsUnit,
                    most),
        fmt::format("write: {} {} x {}",
                    name,
                    fieldTypeName(field.type),
                    std::clamp(field.count / kDimsUnit * kDimsUnit, kDimsUnit, most))};
  if (isNarrow(field.type) && record.findScale(field.kind) == nullptr)
    return RecordFault{
        index,
        fmt::format("`{}` is {} and has no scale", name, fieldTypeName(field.type)),
        fmt::format("write: scale f32 per tensor of {}, or scale f32 per N of {}", name, name)};
  return std::nullopt;
}

Fault groupFault(const Record& record, int index) {
  const RecordField& field = record.fields[static_cast<std::size_t>(index)];
  const RecordField& data = *record.find(field.of);
  const char* const of = fieldKindName(field.of);
  if (field.group < 0)
    return RecordFault{
        index, fmt::format("a scale covers {} elements", field.group), "write a positive number"};
  if (field.group == 0 && field.inTail)
    return RecordFault{index,
                       "a scale per tensor is an argument of the launch and lies in no tail",
                       "write the line outside `page_tail`"};
  if (field.group == 0 && field.type != FieldType::F32)
    return RecordFault{
        index,
        fmt::format("a scale per tensor is f32, found {}", fieldTypeName(field.type)),
        fmt::format("write: scale f32 per tensor of {}", of)};
  if (field.group > 0 && data.count % field.group != 0)
    return RecordFault{
        index,
        fmt::format(
            "groups of {} do not divide the {} elements of `{}`", field.group, data.count, of),
        fmt::format("write a divisor of {}, such as {}", data.count, std::gcd(data.count, 128))};
  return std::nullopt;
}

Fault scaleFault(const Record& record, int index) {
  const RecordField& field = record.fields[static_cast<std::size_t>(index)];
  const char* const of = fieldKindName(field.of);
  if (!isData(RecordField{.kind = field.of}) || record.find(field.of) == nullptr)
    return RecordFault{index,
                       fmt::format("a scale of `{}`, which this record does not have", of),
                       "scale a field that is there, or remove the line"};
  if (record.findScale(field.of) != &field)
    return RecordFault{index,
                       fmt::format("`{}` has a scale already, this is its second", of),
                       "keep one of the two lines"};
  if (field.type == FieldType::E5M2 || field.type == FieldType::E2M1)
    return RecordFault{index,
                       fmt::format("a scale may not be {}", fieldTypeName(field.type)),
                       "write f32, bf16, f16, e8m0 or e4m3"};
  return groupFault(record, index);
}

Fault fieldFault(const Record& record, int index) {
  const RecordField& field = record.fields[static_cast<std::size_t>(index)];
  if (isData(field))
    return dataFault(record, index);
  if (field.kind == FieldKind::Scale)
    return scaleFault(record, index);
  if (field.count < 1 || field.count > kMaxRecordBytes)
    return RecordFault{
        index,
        fmt::format("`pad` is {}; it must be 1 to {} bytes", field.count, kMaxRecordBytes),
        "write: pad 4"};
  return std::nullopt;
}

/// Counts are known.
bool isSized(const Record& record) {
  return std::all_of(record.fields.begin(), record.fields.end(), [](const RecordField& field) {
    return field.count > 0 || (field.kind == FieldKind::Scale && field.group == 0);
  });
}

int paddingTo(int offset, int alignment) {
  return (alignment - offset % alignment) % alignment;
}

Fault unalignedField(const Record& record, const RecordLayout& layout, std::size_t index) {
  const RecordField& field = record.fields[index];
  const int bytes = std::max(1, fieldBits(field.type) / 8);
  const int gap = field.kind == FieldKind::Pad || field.bytes() == 0
                      ? 0
                      : paddingTo(layout.offsets[index], bytes);
  if (gap == 0)
    return std::nullopt;
  return RecordFault{static_cast<int>(index),
                     fmt::format("`{}` begins at byte {}; {} must begin at a multiple of {}",
                                 fieldKindName(field.kind),
                                 layout.offsets[index],
                                 fieldTypeName(field.type),
                                 bytes),
                     fmt::format("write `pad {}` before it", gap)};
}

/// The next token must be as well aligned as the first.
Fault unalignedEnd(const Record& record, const RecordLayout& layout) {
  if (const int gap = paddingTo(layout.tokenBytes, layout.alignment))
    return RecordFault{
        -1,
        fmt::format("a token takes {} bytes; the next one must begin at a multiple of {}",
                    layout.tokenBytes,
                    layout.alignment),
        fmt::format("write `pad {}` at the end of record {}", gap, record.name)};
  int tailAlignment = 1;
  for (const RecordField& field : record.fields)
    if (field.inTail && field.kind != FieldKind::Pad)
      tailAlignment = std::max(tailAlignment, fieldBits(field.type) / 8);
  if (const int gap = paddingTo(layout.tailBytes, tailAlignment))
    return RecordFault{
        -1,
        fmt::format("a token takes {} bytes of the page tail; the next must begin at a multiple "
                    "of {}",
                    layout.tailBytes,
                    tailAlignment),
        fmt::format("write `pad {}` at the end of `page_tail`", gap)};
  return std::nullopt;
}

Fault layoutFault(const Record& record) {
  const RecordLayout layout = layoutOf(record);
  for (std::size_t index = 0; index < record.fields.size(); ++index)
    if (Fault fault = unalignedField(record, layout, index))
      return fault;
  const int bytes = layout.tokenBytes + layout.tailBytes;
  if (bytes > kMaxRecordBytes)
    return RecordFault{
        -1,
        fmt::format("a token takes {} bytes; at most {} are possible", bytes, kMaxRecordBytes),
        "use narrower types or less padding"};
  return unalignedEnd(record, layout);
}

} // namespace

Fault faultOf(const Record& record) {
  if (record.pageAlign < 1 || record.pageAlign > kMaxPageAlign)
    return RecordFault{
        -1,
        fmt::format("page_align is {}; it must be 1 to {}", record.pageAlign, kMaxPageAlign),
        "write: page_align 576"};
  if (record.fields.size() > kMaxRecordFields)
    return RecordFault{kMaxRecordFields,
                       fmt::format("a record has at most {} fields, this one has {}",
                                   kMaxRecordFields,
                                   record.fields.size()),
                       "join neighbouring paddings"};
  if (record.find(FieldKind::Latent) == nullptr)
    return RecordFault{-1, "a record needs a `latent` field", "write: latent bf16"};
  for (std::size_t index = 0; index < record.fields.size(); ++index)
    if (Fault fault = fieldFault(record, static_cast<int>(index)))
      return fault;
  return isSized(record) ? layoutFault(record) : std::nullopt;
}

} // namespace mlac
