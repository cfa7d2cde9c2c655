// ConfigReader: typed access to the keys of a JSON object, with errors that name the key.
#pragma once

#include "common/Result.h"
#include "common/SourceText.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// Parses JSON; InvalidInput with line and column when it is broken.
Result<nlohmann::json> parseJson(const SourceText& source);

/// Reads keys of one object. A key that is null counts as absent. The first wrong type is kept as
/// the error, all keys that are required and absent are gathered, so that one message names them.
class ConfigReader {
public:
  /// `object` must be a JSON object and outlive the reader; `file` names it in errors.
  ConfigReader(const nlohmann::json& object, std::string file);

  /// The value of `key`, null when it is absent.
  const nlohmann::json* find(const std::string& key) const;

  /// A whole number from `low` to 2^31-1, or `low` after noting the error.
  int requireInt(const std::string& key, int low);

  /// The same for a key that may be absent.
  int optionalInt(const std::string& key, int low, int absent);

  /// A finite number.
  std::optional<double> optionalNumber(const std::string& key);

  std::optional<std::string> optionalString(const std::string& key);

  /// The object under `key`.
  const nlohmann::json* optionalObject(const std::string& key);

  /// Fails when anything above went wrong.
  Status status() const;

private:
  void noteWrong(const std::string& key, const nlohmann::json& value, std::string_view expected);
  std::optional<int> readInt(const std::string& key, int low);

  const nlohmann::json& object;
  std::string file;
  std::string wrong;
  std::vector<std::string> missing;
};

} // namespace mlac
