#include "verify/RecordCodec.h"

#include "verify/NarrowTypes.h"

#include <algorithm>
#include <cassert>
#include <cfloat>
#include <cmath>

namespace mlac::verify {
namespace {

float ruleOf(ScaleRule rule, const RecordField& data, float amax) {
  constexpr float kLeast = 1e-4F;
  const float limit = isNarrow(data.type) ? largestOf(data.type) : 1.0F;
  if (rule == ScaleRule::Amax)
    return std::max(amax / limit, FLT_MIN);
  int exponent = 0;
  const float fraction = std::frexp(std::max(amax / limit, kLeast), &exponent);
  return std::ldexp(1.0F, fraction == 0.5F ? exponent - 1 : exponent);
}

/// Stores a scale and returns it as it will be read. A scale that its type rounds to 0 becomes the
/// smallest the type has.
float storeScale(const RecordField& scale, float value, std::byte* to, int group) {
  storeField(scale.type, value, to, group);
  if (const float stored = loadField(scale.type, to, group); stored != 0)
    return stored;
  const float smallest = decodeField(scale.type, 1);
  storeField(scale.type, smallest, to, group);
  return smallest;
}

float amaxOf(std::span<const float> values) {
  float amax = 0;
  for (const float value : values)
    amax = std::max(amax, std::abs(value));
  return amax;
}

} // namespace

RecordCodec::RecordCodec(const Record& record) : sized(record), where(layoutOf(record)) {
  assert(count(FieldKind::Latent) > 0 && "a record that is not sized");
}

int RecordCodec::count(FieldKind kind) const {
  const RecordField* const field = sized.find(kind);
  return field == nullptr ? 0 : field->count;
}

RecordCodec::Part RecordCodec::partOf(FieldKind kind) const {
  Part part{.data = sized.find(kind), .scale = sized.findScale(kind)};
  assert(part.data != nullptr && "the record has no such part");
  const auto offsetOf = [&](const RecordField* field) {
    return where.offsets[static_cast<std::size_t>(field - sized.fields.data())];
  };
  part.dataAt = offsetOf(part.data);
  part.scaleAt = part.scale == nullptr ? 0 : offsetOf(part.scale);
  return part;
}

void RecordCodec::pack(FieldKind kind,
                       std::span<const float> values,
                       const PackOptions& options,
                       std::byte* token,
                       std::byte* tail) const {
  const Part part = partOf(kind);
  const RecordField& data = *part.data;
  assert(std::ssize(values) == data.count);
  const int group = part.scale != nullptr && part.scale->group > 0 ? part.scale->group : data.count;
  for (int begin = 0; begin < data.count; begin += group) {
    float scale = part.scale == nullptr ? 1.0F : options.cacheScale;
    if (part.scale != nullptr && part.scale->group > 0) {
      const bool isPower = part.scale->type == FieldType::E8M0;
      const float wanted = ruleOf(isPower ? ScaleRule::PowerOfTwo : options.rule,
                                  data,
                                  amaxOf(values.subspan(begin, group)));
      scale = storeScale(
          *part.scale, wanted, (part.scale->inTail ? tail : token) + part.scaleAt, begin / group);
    }
    for (int index = begin; index < begin + group; ++index)
      storeField(data.type, values[index] / scale, token + part.dataAt, index);
  }
}

void RecordCodec::unpack(FieldKind kind,
                         const std::byte* token,
                         const std::byte* tail,
                         float cacheScale,
                         std::span<double> values) const {
  const Part part = partOf(kind);
  assert(std::ssize(values) <= part.data->count);
  const bool isGrouped = part.scale != nullptr && part.scale->group > 0;
  const std::byte* const scales =
      isGrouped ? (part.scale->inTail ? tail : token) + part.scaleAt : nullptr;
  double scale = part.scale == nullptr ? 1.0 : cacheScale;
  for (std::int64_t index = 0; index < std::ssize(values); ++index) {
    if (isGrouped && index % part.scale->group == 0)
      scale = loadField(part.scale->type, scales, index / part.scale->group);
    values[index] = loadField(part.data->type, token + part.dataAt, index) * scale;
  }
}

} // namespace mlac::verify
