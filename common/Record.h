// Record: how one token lies in the KV cache, as plain data, and the one place that computes
// offsets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

enum class ElementType { BF16, F16, F32 };

/// Bytes of one element.
constexpr int elementBytes(ElementType type) {
  return type == ElementType::F32 ? 4 : 2;
}

/// As the language spells it.
constexpr const char* elementName(ElementType type) {
  return type == ElementType::BF16 ? "bf16" : type == ElementType::F16 ? "f16" : "f32";
}

/// Types of stored fields. E4M3 is OCP's "fn" form: no infinity, NaN is 0x7f and 0xff. E8M0 is a
/// power of two without sign. Two E2M1 share a byte, the even element in its low half.
enum class FieldType { E4M3, E5M2, E2M1, E8M0, BF16, F16, F32 };

int fieldBits(FieldType type);

/// As the language spells it.
const char* fieldTypeName(FieldType type);

std::optional<FieldType> findFieldType(std::string_view name);

/// Every spelling, indexed by FieldType.
std::span<const std::string_view> fieldTypeNames();

/// True for types of 8 bits and fewer, which hold numbers of use only together with a scale.
bool isNarrow(FieldType type);

enum class FieldKind { Latent, Rope, Scale, Pad };

/// As the language spells it.
const char* fieldKindName(FieldKind kind);

/// One field. Of latent and rope `count` counts elements, of scales scales, of padding bytes.
struct RecordField {
  FieldKind kind = FieldKind::Latent;
  FieldType type = FieldType::BF16; ///< unused by padding
  int count = 0;                    ///< latent, rope: 0 leaves it to the attention
  FieldKind of = FieldKind::Latent; ///< scales: what they multiply
  int group = 0;                    ///< scales: elements each multiplies; 0: all of all tokens, by
                                    ///< the argument `cacheScale`, and nothing is stored
  bool inTail = false;              ///< lies in the page's tail instead of the token's bytes

  /// Bytes one token spends on the field, once its count is known.
  int bytes() const;

  friend bool operator==(const RecordField&, const RecordField&) = default;
};

/// Fields in the order they lie in memory, without gaps: those of a token one after another, and
/// behind the tokens of a page its tail, where each token's tail fields lie together.
struct Record {
  std::string name;
  std::vector<RecordField> fields;
  int pageAlign = 1; ///< pages take a multiple of this many bytes

  Record() = default;

  /// The built-in record of that name: latent and rope of one type, sizes left to the attention.
  /// `type` is BF16 or F16. Implicit, so that a variant's cache is set and compared by it.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Record(ElementType type);

  /// The field that holds latent or rope; null where there is none.
  const RecordField* find(FieldKind kind) const;

  /// The scales of latent or rope; null where there are none.
  const RecordField* findScale(FieldKind of) const;

  /// True where a scale is the argument `cacheScale`.
  bool hasTensorScale() const;

  /// The same with every count filled in, for an attention of these sizes. Sizes the record states
  /// stay; a rope left to an attention without one goes, and its scales with it.
  Record sized(int latent, int rope) const;

  /// Bytes of a token of such an attention, its share of the tail included. Allocates nothing.
  int bytesPerToken(int latent, int rope) const;

  /// The type of the elements, where the record is nothing but `latent` and `rope` elements of bf16
  /// or f16, whatever its name.
  std::optional<ElementType> plainType(int latent, int rope) const;

  friend bool operator==(const Record&, const Record&) = default;
};

/// Where everything lies. Of a sized record.
struct RecordLayout {
  std::vector<int> offsets; ///< by field: bytes from the token's first, or from its share of the
                            ///< tail
  int tokenBytes = 0;       ///< bytes of a token, its share of the tail excluded
  int tailBytes = 0;        ///< bytes of a token's share of the tail
  int alignment = 1;        ///< what the cache's base and strides must be multiples of
  int pageAlign = 1;

  /// Bytes of a page of `tokens` tokens that lie `tokenStrideBytes` apart, rounded up to
  /// `pageAlign` and to `alignment`.
  std::int64_t pageBytes(int tokens, std::int64_t tokenStrideBytes) const;

  std::int64_t pageBytes(int tokens) const { return pageBytes(tokens, tokenBytes); }
};

RecordLayout layoutOf(const Record& record);

/// A cache as a launch describes it.
struct CachePages {
  int page = 1; ///< tokens per page
  std::int64_t pageStrideBytes = 0;
  std::int64_t tokenStrideBytes = 0;

  /// Bytes from the cache's base to a slot's token bytes.
  std::int64_t tokenAt(std::int64_t slot) const {
    return slot / page * pageStrideBytes + slot % page * tokenStrideBytes;
  }

  /// Bytes from the cache's base to a slot's share of its page's tail.
  std::int64_t tailAt(std::int64_t slot, int tailBytes) const {
    return slot / page * pageStrideBytes + page * tokenStrideBytes + slot % page * tailBytes;
  }
};

/// The most bytes a token may take, its share of the tail included.
inline constexpr int kMaxRecordBytes = 32768;

/// The most fields a record may have.
inline constexpr int kMaxRecordFields = 64;

/// What is wrong with a record.
struct RecordFault {
  int field = -1; ///< index of the field it shows at; -1: the whole record
  std::string message;
  std::string remedy;
};

/// The first rule of docs/language.md ("Records") that a record breaks. Rules that need a count are
/// passed over where it is still left to the attention.
std::optional<RecordFault> faultOf(const Record& record);

} // namespace mlac
