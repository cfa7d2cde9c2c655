// Variant: one checked attention variant as plain data, shared by the compiler and the runtime.
#pragma once

#include "common/Expression.h"
#include "common/Record.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mlac {

enum class IterateKind { Dense, Window, TopkLogical, TopkPhysical };

enum class LseMode { None, Natural, Base2 };

/// An attention variant after every default was taken and every rule was checked.
/// All dimensions count elements. The meaning is docs/language.md's "Meaning".
struct Variant {
  std::string name;
  int heads = 0;  ///< query heads on this device, 1..128; all share one latent KV head
  int latent = 0; ///< part of a key without position
  int rope = 0;   ///< rotary part of a key, 0 for models without
  bool valueIsRecord = false;
  ElementType query = ElementType::BF16;
  Record cache = ElementType::BF16; ///< as declared: counts of 0 are taken from the attention
  ElementType output = ElementType::BF16;
  int page = 0; ///< tokens per page, 1..2304
  IterateKind iterate = IterateKind::Dense;
  int topk = 0;   ///< width of an index row, 1..65536; 0 unless top-k
  int window = 0; ///< keys a query sees, its own included; 0 unless window
  int minQueries = 1;
  int maxQueries = 1; ///< query tokens of one request in one step; 0 means any
  bool causal = false;
  std::optional<float> scale; ///< absent: an argument of the launch
  LseMode lse = LseMode::None;
  bool emptyLsePositive = false; ///< an empty row's LSE is +inf (FlashMLA's) instead of -inf
  bool maxLogit = false;
  std::vector<RuleParam> params; ///< in the order in which they were declared
  Rule score;                    ///< as written, defaults not folded; empty: none
  Rule mask;
  bool sink = false; ///< a launch argument [H] that joins each row's denominator

  int qkDims() const { return latent + rope; }

  int valueDims() const { return valueIsRecord ? latent + rope : latent; }

  /// Tiles of 8 heads, the width of a product; the last may have fewer.
  int headTiles() const { return (heads + 7) / 8; }

  /// The cache's record with every count filled in.
  Record record() const { return cache.sized(latent, rope); }

  /// The cache's element type, where its record is nothing but latent and rope of bf16 or f16.
  std::optional<ElementType> cacheElement() const { return cache.plainType(latent, rope); }

  /// Bytes of one token's record in the cache, its share of a page's tail included.
  int recordBytes() const { return cache.bytesPerToken(latent, rope); }

  bool isTopk() const {
    return iterate == IterateKind::TopkLogical || iterate == IterateKind::TopkPhysical;
  }

  /// True where key positions are known, so that request tables and lengths are read.
  bool isLogical() const { return iterate != IterateKind::TopkPhysical; }

  /// True where a rule reads the query's position, which then has to be known.
  bool rulesReadQuery() const {
    return readsArgument(score, ExprOp::Query) || readsArgument(mask, ExprOp::Query);
  }

  friend bool operator==(const Variant&, const Variant&) = default;
};

} // namespace mlac
