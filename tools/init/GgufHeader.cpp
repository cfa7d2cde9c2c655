#include "tools/init/GgufHeader.h"

#include "common/Diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <istream>
#include <limits>
#include <type_traits>
#include <utility>

namespace mlac {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie");

/// Numbers of the types in a file.
enum class Type : std::uint32_t {
  U8,
  I8,
  U16,
  I16,
  U32,
  I32,
  F32,
  Bool,
  Text,
  Array,
  U64,
  I64,
  F64,
};

constexpr std::uint32_t kTypes = 13;
constexpr std::uint64_t kLengthBytes = 8; // what a text or an array begins with

/// Bytes of one value; 0 for those that say their own length.
std::uint64_t bytesOf(Type type) {
  constexpr std::array<std::uint8_t, kTypes> kBytes = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
  return kBytes.at(static_cast<std::size_t>(type));
}

bool isWhole(Type type) {
  return bytesOf(type) != 0 && type != Type::F32 && type != Type::F64 && type != Type::Bool;
}

/// The entries of a header, one after another.
class Reader {
public:
  Reader(std::istream& stream, std::string file) : stream(stream), file(std::move(file)) {}

  Status open();
  Result<std::uint64_t> readCounts();
  Result<std::string> readKey();
  Result<std::optional<GgufHeader::Value>> readValue();

private:
  template <typename T>
  Result<T> readNumber(const char* what);
  Result<std::string> readText(std::uint64_t bytes, const char* what);
  Result<Type> readType();
  Result<GgufHeader::Value> readScalar(Type type);
  Result<std::optional<GgufHeader::Value>> readArray();
  Status skip(std::uint64_t bytes, const char* what);
  Status skipTexts(std::uint64_t count);
  Error wrong(const std::string& what) const;

  std::uint64_t left() const { return size - at; }

  std::istream& stream;
  std::string file;
  std::string key; ///< of the entry being read
  std::uint64_t at = 0;
  std::uint64_t size = 0;
  std::uint64_t items = 0; ///< texts of arrays, so far
};

Error Reader::wrong(const std::string& what) const {
  const std::string entry = key.empty() ? "" : ", entry " + quoteForMessage(key);
  return {ErrorCode::InvalidInput, fmt::format("{}: byte {}{}: {}", file, at, entry, what)};
}

template <typename T>
Result<T> Reader::readNumber(const char* what) {
  T value{};
  if (left() < sizeof value)
    return wrong(fmt::format("the file ends inside {}", what));
  stream.read(reinterpret_cast<char*>(&value), sizeof value);
  if (!stream)
    return Error{ErrorCode::IoFailed, fmt::format("{}: cannot be read at byte {}", file, at)};
  at += sizeof value;
  return value;
}

Result<std::string> Reader::readText(std::uint64_t bytes, const char* what) {
  if (left() < bytes)
    return wrong(fmt::format("{} of {} bytes, but the file has only {} more", what, bytes, left()));
  std::string text(bytes, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!stream)
    return Error{ErrorCode::IoFailed, fmt::format("{}: cannot be read at byte {}", file, at)};
  at += bytes;
  return text;
}

Status Reader::skip(std::uint64_t bytes, const char* what) {
  if (left() < bytes)
    return wrong(fmt::format("{} of {} bytes, but the file has only {} more", what, bytes, left()));
  at += bytes;
  stream.seekg(static_cast<std::streamoff>(at));
  return Unit{};
}

Status Reader::open() {
  stream.seekg(0, std::ios::end);
  const std::streamoff end = stream.tellg();
  stream.seekg(0);
  if (!stream || end < 0)
    return Error{ErrorCode::IoFailed, fmt::format("{}: its size cannot be told", file)};
  size = static_cast<std::uint64_t>(end);
  MLAC_TRY(magic, readText(std::min<std::uint64_t>(size, sizeof kGgufMagic), "the magic"));
  if (magic != std::string_view(kGgufMagic, sizeof kGgufMagic))
    return wrong("no GGUF file: it does not begin with \"GGUF\"");
  MLAC_TRY(version, readNumber<std::uint32_t>("the version"));
  if (version == 2 || version == 3)
    return Unit{};
  constexpr std::uint32_t kLowHalf = 0xffff;
  if ((version & kLowHalf) == 0)
    return wrong("a big-endian GGUF file; convert it to little-endian");
  return wrong(fmt::format("GGUF version {}; versions 2 and 3 are read", version));
}

/// Of entries; that of tensors comes first, and is not needed.
Result<std::uint64_t> Reader::readCounts() {
  MLAC_CHECK(readNumber<std::uint64_t>("the number of tensors"));
  MLAC_TRY(count, readNumber<std::uint64_t>("the number of entries"));
  if (count > GgufLimits::kEntries)
    return wrong(fmt::format("{} entries; at most {} are read", count, GgufLimits::kEntries));
  return count;
}

Result<std::string> Reader::readKey() {
  key.clear();
  MLAC_TRY(bytes, readNumber<std::uint64_t>("a key's length"));
  if (bytes > GgufLimits::kKeyBytes)
    return wrong(
        fmt::format("a key of {} bytes; the format allows {}", bytes, GgufLimits::kKeyBytes));
  MLAC_TRY(text, readText(bytes, "a key"));
  key = text;
  return key;
}

Result<Type> Reader::readType() {
  MLAC_TRY(number, readNumber<std::uint32_t>("a value's type"));
  if (number >= kTypes)
    return wrong(fmt::format("type {} is unknown; there are {}", number, kTypes));
  return static_cast<Type>(number);
}

/// A number of `type`, widened.
Result<GgufHeader::Value> Reader::readScalar(Type type) {
  constexpr const char* kWhat = "a number";
  const auto widened = [&]<typename T>(T) -> Result<GgufHeader::Value> {
    MLAC_TRY(value, readNumber<T>(kWhat));
    if constexpr (std::is_integral_v<T>)
      if (std::in_range<std::int64_t>(value))
        return GgufHeader::Value{static_cast<std::int64_t>(value)};
    return GgufHeader::Value{static_cast<double>(value)};
  };
  switch (type) {
  case Type::U8:
    return widened(std::uint8_t{});
  case Type::I8:
    return widened(std::int8_t{});
  case Type::U16:
    return widened(std::uint16_t{});
  case Type::I16:
    return widened(std::int16_t{});
  case Type::U32:
    return widened(std::uint32_t{});
  case Type::I32:
    return widened(std::int32_t{});
  case Type::F32:
    return widened(float{});
  case Type::U64:
    return widened(std::uint64_t{});
  case Type::I64:
    return widened(std::int64_t{});
  case Type::F64:
    return widened(double{});
  case Type::Bool: {
    MLAC_TRY(value, readNumber<std::uint8_t>("a truth value"));
    return GgufHeader::Value{value != 0 ? 1.0 : 0.0};
  }
  case Type::Text:
  case Type::Array:
    break;
  }
  return wrong("a text or an array where a number is due");
}

Status Reader::skipTexts(std::uint64_t count) {
  if (count > GgufLimits::kItems - items || count > left() / kLengthBytes)
    return wrong(fmt::format("an array of {} texts, more than the file or the limit of {} holds",
                             count,
                             GgufLimits::kItems));
  items += count;
  for (std::uint64_t i = 0; i < count; ++i) {
    MLAC_TRY(bytes, readNumber<std::uint64_t>("a text's length"));
    MLAC_CHECK(skip(bytes, "a text"));
  }
  return Unit{};
}

Result<std::optional<GgufHeader::Value>> Reader::readArray() {
  MLAC_TRY(type, readType());
  MLAC_TRY(count, readNumber<std::uint64_t>("an array's length"));
  std::optional<GgufHeader::Value> none;
  if (type == Type::Array)
    return wrong("an array of arrays; no such entry is known");
  if (type == Type::Text) {
    MLAC_CHECK(skipTexts(count));
    return none;
  }
  if (count > left() / bytesOf(type))
    return wrong(fmt::format("an array of {} numbers, more than the file holds", count));
  if (!isWhole(type) || count > GgufLimits::kKeptNumbers) {
    MLAC_CHECK(skip(count * bytesOf(type), "an array"));
    return none;
  }
  std::vector<std::int64_t> numbers;
  for (std::uint64_t i = 0; i < count; ++i) {
    MLAC_TRY(value, readScalar(type));
    const auto* whole = std::get_if<std::int64_t>(&value);
    numbers.push_back(whole != nullptr ? *whole : std::numeric_limits<std::int64_t>::max());
  }
  return std::optional<GgufHeader::Value>(std::move(numbers));
}

Result<std::optional<GgufHeader::Value>> Reader::readValue() {
  MLAC_TRY(type, readType());
  if (type == Type::Array)
    return readArray();
  if (type != Type::Text) {
    MLAC_TRY(value, readScalar(type));
    return std::optional<GgufHeader::Value>(std::move(value));
  }
  MLAC_TRY(bytes, readNumber<std::uint64_t>("a text's length"));
  if (bytes > GgufLimits::kKeptTextBytes) {
    MLAC_CHECK(skip(bytes, "a text"));
    return std::optional<GgufHeader::Value>();
  }
  MLAC_TRY(text, readText(bytes, "a text"));
  return std::optional<GgufHeader::Value>(std::move(text));
}

} // namespace

Result<GgufHeader> GgufHeader::read(std::istream& stream, const std::string& file) {
  Reader reader(stream, file);
  MLAC_CHECK(reader.open());
  MLAC_TRY(count, reader.readCounts());
  GgufHeader header;
  for (std::uint64_t i = 0; i < count; ++i) {
    MLAC_TRY(key, reader.readKey());
    MLAC_TRY(value, reader.readValue());
    if (value)
      header.values.insert_or_assign(key, std::move(*value));
  }
  return header;
}

const GgufHeader::Value* GgufHeader::find(const std::string& key) const {
  const auto found = values.find(key);
  return found == values.end() ? nullptr : &found->second;
}

std::optional<std::string> GgufHeader::text(const std::string& key) const {
  const Value* value = find(key);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<double> GgufHeader::number(const std::string& key) const {
  const Value* value = find(key);
  if (value == nullptr)
    return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(value))
    return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(value);
  return real == nullptr ? std::nullopt : std::optional(*real);
}

} // namespace mlac
