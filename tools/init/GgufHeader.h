// GgufHeader: the metadata at the head of a GGUF file, read without its tensors and without holding
// its vocabulary.
// Format: github.com/ggml-org/ggml, docs/gguf.md, versions 2 and 3, little-endian.
#pragma once

#include "common/Result.h"

#include <cstdint>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mlac {

/// What every GGUF file begins with.
inline constexpr char kGgufMagic[4] = {'G', 'G', 'U', 'F'};

/// What is read at most. A file may say anything about its sizes; nothing is allocated or walked
/// beyond these, nor beyond the end of the file.
struct GgufLimits {
  static constexpr std::uint64_t kEntries = 1 << 16;       ///< pairs of the header
  static constexpr std::uint64_t kKeyBytes = 1 << 16;      ///< of a key; the format's own limit
  static constexpr std::uint64_t kKeptTextBytes = 1 << 12; ///< longer texts are passed over
  static constexpr std::uint64_t kKeptNumbers = 1
                                                << 12; ///< of an array; longer ones are passed over
  static constexpr std::uint64_t kItems = 1 << 26;     ///< texts in arrays, all together
};

class GgufHeader {
public:
  /// A number, a text, or an array of whole numbers. Floats and booleans come as doubles.
  using Value = std::variant<std::int64_t, double, std::string, std::vector<std::int64_t>>;

  /// Reads the header of the file that `stream` holds from its first byte; `file` names it in
  /// errors. InvalidInput with the byte and the entry for what is cut off, out of the format, or
  /// larger than GgufLimits.
  static Result<GgufHeader> read(std::istream& stream, const std::string& file);

  /// The value of `key`, null where there is none or it was passed over.
  const Value* find(const std::string& key) const;

  /// The text of `key`; nothing where there is none.
  std::optional<std::string> text(const std::string& key) const;

  /// A number of any type; nothing where there is none.
  std::optional<double> number(const std::string& key) const;

private:
  std::map<std::string, Value> values;
};

} // namespace mlac
