#include "common/Digest.h"
#include "runtime/FileIo.h"
#include "runtime/bundle/Bundle.h"
#include "runtime/bundle/BundleTable.h"
#include "runtime/bundle/CubinJson.h"
#include "runtime/bundle/FamilyJson.h"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <system_error>

namespace mlac {
namespace {

class Stage {
public:
  explicit Stage(std::string folder) : folder(std::move(folder)) {}

  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  ~Stage() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }

  Status add(const std::string& path, std::string_view bytes) {
    if (table.files.contains(path))
      return Error{ErrorCode::InvalidInput,
                   fmt::format("two of the bundle's files would be called {}", path)};
    MLAC_CHECK(makeFolders((std::filesystem::path(folder) / path).parent_path().string()));
    table.files[path] = {bytes.size(), digestHex(bytes)};
    return writeFileSynced(folder + "/" + path, bytes);
  }

  std::string folder;
  BundleTable table;
};

Status addFamily(Stage& stage, const BundledFamily& bundled) {
  const KernelFamily& family = bundled.family;
  const std::string& name = family.variant.name;
  if (!isPlainName(name) || !isPlainName(family.target))
    return Error{ErrorCode::InvalidInput,
                 fmt::format("'{}' for '{}' is no name a bundle may hold", name, family.target)};
  MLAC_CHECK(stage.add(familyPath(name, family.target), familyToJson(family)));
  for (const Kernel& kernel : family.kernels) {
    if (!isPlainName(kernel.entry))
      return Error{ErrorCode::InvalidInput,
                   fmt::format("'{}' is no kernel name a bundle may hold", kernel.entry)};
    const auto pathTo = [&](const char* suffix) {
      return kernelPath(name, kernel.entry, family.target, suffix);
    };
    MLAC_CHECK(stage.add(pathTo("cu"), kernel.source));
    const auto cubin = bundled.cubins.find(kernel.entry);
    if (cubin == bundled.cubins.end())
      continue;
    MLAC_CHECK(stage.add(pathTo("cubin"), cubin->second.cubin));
    MLAC_CHECK(stage.add(pathTo("json"), cubinToJson(cubin->second)));
  }
  stage.table.families.push_back({name, family.target});
  return Unit{};
}

/// What stands at `path` may be replaced if it is a bundle, or nothing.
Status checkReplaceable(const std::string& path) {
  std::error_code error;
  const bool exists = std::filesystem::exists(path, error);
  if (!exists || std::filesystem::exists(path + "/" + kBundleTableName, error))
    return Unit{};
  return Error{ErrorCode::InvalidInput,
               fmt::format("{} exists and is no bundle; give another path, or remove it", path)};
}

Status publish(const Stage& stage, const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error))
    return renamePath(stage.folder, path);
  const std::string former = temporaryPathFor(path);
  MLAC_CHECK(renamePath(path, former));
  Status moved = renamePath(stage.folder, path);
  if (!moved) {
    MLAC_CHECK(renamePath(former, path));
    return moved;
  }
  std::filesystem::remove_all(former, error);
  return Unit{};
}

} // namespace

Status writeBundle(const std::string& path, std::span<const BundledFamily> families) {
  std::string target = path;
  while (target.size() > 1 && target.back() == '/')
    target.pop_back();
  MLAC_CHECK(checkReplaceable(target));
  Stage stage(temporaryPathFor(target));
  MLAC_CHECK(makeFolders(stage.folder));
  for (const BundledFamily& family : families)
    MLAC_CHECK(addFamily(stage, family));
  // Last, and synced like the others: a folder without its table is no bundle.
  MLAC_CHECK(writeFileSynced(stage.folder + "/" + kBundleTableName, tableToJson(stage.table)));
  return publish(stage, target);
}

} // namespace mlac
