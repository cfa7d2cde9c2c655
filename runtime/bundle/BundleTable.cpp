#include "runtime/bundle/BundleTable.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mlac {
namespace {

using Json = nlohmann::json;

bool isPlainPath(std::string_view path) {
  const std::size_t slash = path.find('/');
  return slash != std::string_view::npos && isPlainName(path.substr(0, slash)) &&
         isPlainName(path.substr(slash + 1));
}

Error tableError(const std::string& where, const std::string& what) {
  return {ErrorCode::InvalidInput, fmt::format("{}: {}", where, what)};
}

Status checkFormat(const Json& json, const std::string& where) {
  const int format = json.at("format").get<int>();
  if (format == kBundleFormat)
    return Unit{};
  return tableError(
      where,
      fmt::format("the bundle has format {}; this mlac reads format {}. {}",
                  format,
                  kBundleFormat,
                  format > kBundleFormat ? "Use a newer mlac, or pack it again" : "Pack it again"));
}

Result<BundleTable> readTable(const Json& json, const std::string& where) {
  MLAC_CHECK(checkFormat(json, where));
  BundleTable table;
  for (const Json& one : json.at("families")) {
    BundleTable::Family family{one.at("name").get<std::string>(),
                               one.at("target").get<std::string>()};
    for (const std::string& word : {family.name, family.target})
      if (!isPlainName(word))
        return tableError(where, fmt::format("'{}' is no name a bundle may hold", word));
    table.families.push_back(std::move(family));
  }
  for (const auto& [path, file] : json.at("files").items()) {
    if (!isPlainPath(path))
      return tableError(where, fmt::format("'{}' is no path a bundle may hold", path));
    table.files[path] = {file.at("bytes").get<std::uint64_t>(), file.at("xxh3").get<std::string>()};
  }
  return table;
}

} // namespace

bool isPlainName(std::string_view name) {
  constexpr std::size_t kMaxName = 200;
  const auto isPlain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= kMaxName && name.front() != '.' &&
         std::all_of(name.begin(), name.end(), isPlain);
}

std::string familyPath(std::string_view name, std::string_view target) {
  return fmt::format("{}/family.{}.json", name, target);
}

std::string kernelPath(std::string_view name,
                       std::string_view entry,
                       std::string_view target,
                       std::string_view suffix) {
  return fmt::format("{}/{}.{}.{}", name, entry, target, suffix);
}

std::string tableToJson(const BundleTable& table) {
  Json json;
  json["format"] = kBundleFormat;
  json["mlac"] = MLAC_VERSION;
  json["families"] = Json::array();
  for (const BundleTable::Family& family : table.families)
    json["families"].push_back({{"name", family.name}, {"target", family.target}});
  json["files"] = Json::object();
  for (const auto& [path, file] : table.files)
    json["files"][path] = {{"bytes", file.bytes}, {"xxh3", file.digest}};
  constexpr int kIndent = 2;
  return json.dump(kIndent) + "\n";
}

Result<BundleTable> tableFromJson(std::string_view text, const std::string& where) {
  try {
    return readTable(Json::parse(text), where);
  } catch (const Json::exception& error) {
    return tableError(where, error.what());
  }
}

} // namespace mlac
