// RecordCodec: a key to the bytes of a cache record and back, for any record. For the host only.
#pragma once

#include "common/Record.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace mlac::verify {

/// How a group's scale follows from its largest magnitude `amax`, for codes whose largest number is
/// L (448 of e4m3, 57344 of e5m2, 6 of e2m1; 1 where the scaled elements are wider).
enum class ScaleRule {
  Amax,      ///< max(amax / L, FLT_MIN), rounded to the scale's type: vLLM's
  PowerOfTwo ///< 2^ceil(log2(max(amax / L, 1e-4))): FlashMLA's. Of e8m0 scales always
};

struct PackOptions {
  ScaleRule rule = ScaleRule::Amax;
  float cacheScale = 1; ///< what scales per tensor are
};

/// Knows a sized record. Codes are x / scale, rounded to nearest even, saturating; their numbers
/// code * scale.
class RecordCodec {
public:
  explicit RecordCodec(const Record& record);

  const Record& record() const { return sized; }

  const RecordLayout& layout() const { return where; }

  /// Elements of latent or rope in a record.
  int count(FieldKind kind) const;

  /// Writes the fields of one part, `values` long as `count` says. Padding keeps what it holds.
  void pack(FieldKind part,
            std::span<const float> values,
            const PackOptions& options,
            std::byte* token,
            std::byte* tail) const;

  /// Reads the first elements of one part, as many as `values` takes.
  void unpack(FieldKind part,
              const std::byte* token,
              const std::byte* tail,
              float cacheScale,
              std::span<double> values) const;

private:
  /// A field's place and its scale's, if it has one.
  struct Part {
    const RecordField* data = nullptr;
    const RecordField* scale = nullptr;
    int dataAt = 0;
    int scaleAt = 0;
  };

  Part partOf(FieldKind kind) const;

  Record sized;
  RecordLayout where;
};

} // namespace mlac::verify
