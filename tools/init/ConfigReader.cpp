#include "tools/init/ConfigReader.h"

#include "common/Diagnostic.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

namespace mlac {
namespace {

using nlohmann::json;

constexpr int kLargest = std::numeric_limits<int>::max();

/// The library's message without its own prefix and position: mlac gives the place itself.
std::string_view reasonOf(const json::exception& failure) {
  std::string_view text = failure.what();
  if (const std::size_t start = text.rfind("syntax error"); start != text.npos)
    return text.substr(start);
  if (const std::size_t start = text.find("] "); start != text.npos)
    return text.substr(start + 2);
  return text;
}

Error jsonFailure(const SourceText& source, std::size_t offset, std::string_view reason) {
  // The reason may quote the text, whatever bytes it holds.
  std::string shown(reason.substr(0, 200));
  for (char& character : shown)
    if (character < ' ' || character > '~')
      character = '?';
  return {ErrorCode::InvalidInput,
          renderDiagnostic(source,
                           errorAt({offset, 1}, fmt::format("this is not JSON: {}", shown))
                               .withHelp("give the model's config.json, whole"))};
}

std::string shownValue(const json& value) {
  if (value.is_number())
    return value.dump();
  return fmt::format("a{} {}", value.is_object() || value.is_array() ? "n" : "", value.type_name());
}

} // namespace

Result<json> parseJson(const SourceText& source) {
  if (const auto offset = firstInvalidUtf8(source.text()))
    return jsonFailure(source, *offset, fmt::format("byte {} is not UTF-8", *offset));
  try {
    return json::parse(source.text());
  } catch (const json::parse_error& failure) {
    const std::size_t offset = failure.byte > 0 ? failure.byte - 1 : 0;
    return jsonFailure(source, offset, reasonOf(failure));
  } catch (const json::exception& failure) {
    return jsonFailure(source, 0, reasonOf(failure));
  }
}

ConfigReader::ConfigReader(const json& object, std::string file)
    : object(object), file(std::move(file)) {}

const json* ConfigReader::find(const std::string& key) const {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

void ConfigReader::noteWrong(const std::string& key, const json& value, std::string_view expected) {
  if (wrong.empty())
    wrong = fmt::format("`{}` is {}; it must be {}", key, shownValue(value), expected);
}

std::optional<int> ConfigReader::readInt(const std::string& key, int low) {
  const json* value = find(key);
  if (value == nullptr)
    return std::nullopt;
  const bool fits = value->is_number_unsigned()
                        ? value->get<std::uint64_t>() <= std::uint64_t{kLargest}
                        : value->is_number_integer() && value->get<std::int64_t>() <= kLargest;
  if (fits && value->get<std::int64_t>() >= low)
    return value->get<int>();
  noteWrong(key, *value, fmt::format("a whole number from {} to {}", low, kLargest));
  return low;
}

int ConfigReader::requireInt(const std::string& key, int low) {
  const auto value = readInt(key, low);
  if (!value)
    missing.push_back(key);
  return value.value_or(low);
}

int ConfigReader::optionalInt(const std::string& key, int low, int absent) {
  return readInt(key, low).value_or(absent);
}

std::optional<double> ConfigReader::optionalNumber(const std::string& key) {
  const json* value = find(key);
  if (value == nullptr)
    return std::nullopt;
  if (value->is_number() && std::isfinite(value->get<double>()))
    return value->get<double>();
  noteWrong(key, *value, "a number");
  return std::nullopt;
}

std::optional<std::string> ConfigReader::optionalString(const std::string& key) {
  const json* value = find(key);
  if (value == nullptr)
    return std::nullopt;
  if (value->is_string())
    return value->get<std::string>();
  noteWrong(key, *value, "a string");
  return std::nullopt;
}

const json* ConfigReader::optionalObject(const std::string& key) {
  const json* value = find(key);
  if (value != nullptr && !value->is_object()) {
    noteWrong(key, *value, "an object");
    return nullptr;
  }
  return value;
}

Status ConfigReader::status() const {
  if (!wrong.empty())
    return Error{ErrorCode::InvalidInput, fmt::format("{}: {}", file, wrong)};
  if (missing.empty())
    return Unit{};
  return Error{ErrorCode::InvalidInput,
               fmt::format("{}: an MLA model needs `{}`, and the file lacks {}",
                           file,
                           fmt::join(missing, "`, `"),
                           missing.size() == 1 ? "it" : "them")};
}

} // namespace mlac
