// BundleTable: bundle.json, the one file a bundle is entered through.
#pragma once

#include "common/Result.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

inline constexpr int kBundleFormat = 4;
inline constexpr const char* kBundleTableName = "bundle.json";

struct BundleTable {
  struct Family {
    std::string name;
    std::string target;
  };

  struct File {
    std::uint64_t bytes = 0;
    std::string digest;
  };

  std::vector<Family> families;
  std::map<std::string, File> files; ///< by path below the bundle, with '/'
};

std::string tableToJson(const BundleTable& table);

/// InvalidInput for a newer format, and for names that could lead out of the bundle.
Result<BundleTable> tableFromJson(std::string_view text, const std::string& where);

/// True for names a bundle may hold: letters, digits, '_', '-', '.', not beginning with '.'.
bool isPlainName(std::string_view name);

// Paths below the bundle.
std::string familyPath(std::string_view name, std::string_view target);
std::string kernelPath(std::string_view name,
                       std::string_view entry,
                       std::string_view target,
                       std::string_view suffix);

} // namespace mlac
