#include "tests/simt/wrappers/Record.h"

#include "common/Digest.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

namespace mlac::probes {
namespace {

constexpr std::size_t kWordsPerLine = 8;
constexpr std::size_t kDigits = 8;

std::string hexOf(const Words& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool lastOfLine = i % kWordsPerLine == kWordsPerLine - 1 || i + 1 == words.size();
    text += fmt::format("{:08x}{}", words[i], lastOfLine ? '\n' : ' ');
  }
  return text;
}

/// The value of `key=` in a record's first line, up to the next blank; the last key takes the rest.
std::optional<std::string_view> field(std::string_view line, std::string_view key, bool last) {
  const std::size_t at = line.find(fmt::format("{}=", key));
  if (at == std::string_view::npos)
    return std::nullopt;
  const std::string_view value = line.substr(at + key.size() + 1);
  return last ? value : value.substr(0, value.find(' '));
}

template <class Number>
bool parse(std::string_view text, Number& number, int base) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  const auto parsed = std::from_chars(begin, end, number, base);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

Error noRecord(std::string_view line) {
  return {ErrorCode::CorruptData, fmt::format("no recording of a probe: '{}'", line)};
}

Result<Record> headerFrom(std::string_view line) {
  const auto probe = field(line, "probe", false);
  const auto seed = field(line, "seed", false);
  const auto input = field(line, "input", false);
  const auto gpu = field(line, "gpu", true);
  Record record;
  if (!probe || !seed || !input || !gpu || !parse(*seed, record.seed, 10))
    return noRecord(line);
  record.probe = *probe;
  record.input = *input;
  record.gpu = *gpu;
  return record;
}

Status appendWords(std::string_view line, Words& words) {
  while (!line.empty()) {
    std::uint32_t word = 0;
    const std::string_view digits = line.substr(0, line.find(' '));
    if (digits.size() != kDigits || !parse(digits, word, 16))
      return noRecord(line);
    words.push_back(word);
    line.remove_prefix(std::min(line.size(), digits.size() + 1));
  }
  return Unit{};
}

} // namespace

std::string digestOf(const Words& words) {
  return digestHex(hexOf(words));
}

std::string textOf(const Record& record) {
  return fmt::format("probe={} seed={} input={} gpu={}\n{}",
                     record.probe,
                     record.seed,
                     record.input,
                     record.gpu,
                     hexOf(record.words));
}

Result<Record> recordFrom(std::string_view text) {
  const auto nextLine = [&text] {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
  };
  MLAC_TRY(record, headerFrom(nextLine()));
  while (!text.empty())
    MLAC_CHECK(appendWords(nextLine(), record.words));
  return std::move(record);
}

} // namespace mlac::probes
