// Problem: one seeded launch of a variant, laid out in host memory as a caller lays it out on a
// device.
#pragma once

#include "common/Result.h"
#include "common/Variant.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mlac::verify {

/// How a token finds its request.
enum class RequestTables { Uniform, QueryStart, TokenRequest };

/// A value for a parameter that the launch passes; for an array, of each element.
struct GivenParam {
  std::string name;
  double value = 0;
};

/// What to draw. Everything that is off is left at the plain case an engine produces most often.
struct ProblemOptions {
  int tokens = 4;    ///< T
  int requests = 0;  ///< R; 0 takes as many as the variant's query counts allow
  int context = 256; ///< the longest request, in keys
  std::uint64_t seed = 1;
  RequestTables requestTables = RequestTables::Uniform;
  bool raggedLengths = false;    ///< lengths from 1 to context instead of context everywhere
  bool emptyRows = false;        ///< a request of length 0, or an index row of -1 only
  bool explicitKeyEnd = false;   ///< pass `keyEnd`, drawn at or below its default
  bool topkLengths = false;      ///< pass `topkLength`; what lies past it is garbage
  bool scatteredInvalid = false; ///< -1 in the middle of index rows
  bool duplicates = false;       ///< indices that repeat
  bool identityIndices = false;  ///< 0, 1, 2, ... and then -1, as an indexer fills short rows
  bool outOfRange = false;       ///< indices, block table entries and lengths past every limit
  bool missingPages = false;     ///< -1 in the block table
  bool badRequests = false;      ///< request ids out of range (with RequestTables::TokenRequest)
  bool splitQuery = false;       ///< qLatent as a transposed view, qRope on its own
  bool padStrides = false;    ///< gaps between tokens, heads and pages; lse and maxLogit transposed
  bool scaleOnDevice = false; ///< `scaleDevice` instead of `scale` (run-time scales)
  bool infiniteSinks = false; ///< of every four heads one with a sink of +inf, one of -inf
  std::vector<GivenParam> params = {}; ///< the others are drawn, from 0.5 to 2 or from 1 to 64
  float queryFactor = 1;               ///< q is a normal clamped to +-1, times this
  float keyFactor = 0.1F;              ///< keys are a normal times this
  std::optional<float> scale = {};     ///< of run-time scales; absent: 1/sqrt(latent + rope)
  bool powerOfTwoScales = false; ///< f32 scales of the cache follow FlashMLA's rule, not vLLM's
  std::int64_t pageBias = 0;     ///< pages below the first used one; they exist on the device only
  std::int64_t maxHostBytes = std::int64_t{16} << 30; ///< refuse to draw more rows than this
};

/// The plain options with every difficulty switched on that `variant` permits.
ProblemOptions stressOptions(const Variant& variant, int tokens, int context, std::uint64_t seed);

/// An input array of a problem. Its place in Problem::inputs.
enum class Input {
  Query,        ///< q, or qLatent alone
  QueryRope,    ///< qRope when it is apart
  BlockTable,   ///< i32 [R, maxPages]
  QueryStart,   ///< i32 [R + 1]
  TokenRequest, ///< i32 [T]
  SeqLens,      ///< i32 [R]
  KeyEnd,       ///< i32 [T]
  Indices,      ///< i32 [T, topk]
  TopkLength,   ///< i32 [T]
  Scale,        ///< f32 [1]
  Sinks         ///< f32 [H]
};
inline constexpr int kInputCount = 11;

/// A [T][H][dims] part of an input buffer. The pointer to pass is buffer base + offsetBytes.
struct QueryView {
  Input buffer = Input::Query;
  std::int64_t offsetBytes = 0;
  std::int64_t tokenStride = 0; ///< elements
  std::int64_t headStride = 0;  ///< elements
};

/// A [T][H][dims] output inside a buffer of `bytes` bytes, with guard bands at both ends.
struct OutputView {
  ElementType type = ElementType::F32;
  int dims = 1;
  std::int64_t offsetBytes = 0;
  std::int64_t tokenStride = 0; ///< elements
  std::int64_t headStride = 0;  ///< elements
  std::int64_t bytes = 0;       ///< 0 where the variant has no such output

  bool present() const { return bytes != 0; }

  /// Bytes from the buffer's start to element [token][head][dim].
  std::int64_t byteAt(int token, int head, int dim) const {
    return offsetBytes +
           (token * tokenStride + head * headStride + dim) * std::int64_t{elementBytes(type)};
  }
};

/// The paged cache, of which only the rows that some token attends to are held. All else is NaN.
struct CacheRows {
  std::int64_t firstPage = 0;          ///< pages below it hold nothing
  std::int64_t heldPages = 0;          ///< pages from firstPage on that may hold rows
  std::int64_t pageStrideBytes = 0;    ///< in the caller's memory
  std::int64_t tokenStrideBytes = 0;   ///< in the caller's memory
  std::vector<std::int32_t> rowOfSlot; ///< by slot - firstPage * page; -1 where nothing is held
  std::int64_t rowBytes = 0;   ///< a token's bytes, and behind them its share of the page's tail
  std::vector<std::byte> rows; ///< [row][rowBytes]
};

struct Problem {
  Variant variant;
  ProblemOptions options;
  int tokens = 0;
  int requests = 0;
  int maxPages = 0;       ///< columns of the block table
  std::int64_t slots = 0; ///< slots the cache has; the last page may be cut short
  float scale = 0;        ///< the variant's or the drawn one
  float cacheScale = 1;   ///< of records with a scale per tensor
  int maxSeqLen = 0;      ///< largest seqLens entry
  std::int64_t blockTableStride = 0;
  std::int64_t indicesStride = 0;
  std::array<std::vector<std::byte>, kInputCount> inputs; ///< empty: not passed
  std::vector<double> paramValues;                        ///< by variant.params: of scalars
  /// By variant.params: i32 or f32 [H] or [T]; empty for scalars.
  std::vector<std::vector<std::byte>> paramArrays;
  QueryView qLatent;
  QueryView qRope; ///< unused for rope 0
  OutputView out;
  OutputView lse;
  OutputView maxLogit;
  CacheRows cache;

  const std::vector<std::byte>& input(Input id) const { return inputs[static_cast<int>(id)]; }

  bool has(Input id) const { return !input(id).empty(); }

  /// An i32 input as numbers; empty where it is not passed.
  std::span<const std::int32_t> ints(Input id) const;

  /// The CacheRows::rowBytes bytes of a slot's record, or null where the cache holds NaN.
  const std::byte* keyRow(std::int64_t slot) const;

  /// Where the records lie in the caller's memory.
  CachePages pages() const { return {variant.page, cache.pageStrideBytes, cache.tokenStrideBytes}; }

  /// Bytes of the whole cache from its base, pages below the bias included.
  std::int64_t cacheBytes() const;

  /// Writes pages [firstPage, firstPage + count) as they lie in memory to `to`, which takes
  /// count * pageStrideBytes bytes. Everything but the used rows becomes NaN.
  void writePages(std::int64_t firstPage, std::int64_t count, std::byte* to) const;
};

/// Draws a problem. Errors: InvalidArgument, where the options contradict the variant or need too
/// much host memory. The same variant and options give the same bits on every machine.
Result<Problem> makeProblem(const Variant& variant, const ProblemOptions& options);

} // namespace mlac::verify
