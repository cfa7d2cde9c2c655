#include "runtime/bundle/Bundle.h"

#include "common/Digest.h"
#include "common/Target.h"
#include "runtime/CheckFamily.h"
#include "runtime/Family.h"
#include "runtime/FileIo.h"
#include "runtime/bundle/BundleTable.h"
#include "runtime/bundle/CubinJson.h"
#include "runtime/bundle/FamilyJson.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <utility>

namespace mlac {

struct Bundle::Impl {
  std::string path;
  BundleTable table;
};

namespace {

Result<std::string> readListedFile(const Bundle::Impl& bundle, const std::string& file) {
  const std::string whole = bundle.path + "/" + file;
  const auto listed = bundle.table.files.find(file);
  if (listed == bundle.table.files.end())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{}/{} does not list {}", bundle.path, kBundleTableName, file)};
  MLAC_TRY(bytes, readFile(whole));
  if (bytes.size() != listed->second.bytes || digestHex(bytes) != listed->second.digest)
    return Error{ErrorCode::CorruptData,
                 fmt::format("{} is not the file that was packed ({} bytes now, {} then); pack the "
                             "bundle again",
                             whole,
                             bytes.size(),
                             listed->second.bytes)};
  return bytes;
}

Status readKernelFiles(const Bundle::Impl& bundle, Kernel& kernel, BundledFamily& into) {
  const KernelFamily& family = into.family;
  if (!isPlainName(kernel.entry))
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{}: '{}' is no kernel name", bundle.path, kernel.entry)};
  const auto pathTo = [&](const char* suffix) {
    return kernelPath(family.variant.name, kernel.entry, family.target, suffix);
  };
  MLAC_TRY(source, readListedFile(bundle, pathTo("cu")));
  kernel.source = std::move(source);
  if (!bundle.table.files.contains(pathTo("cubin")))
    return Unit{};
  MLAC_TRY(report, readListedFile(bundle, pathTo("json")));
  MLAC_TRY(output, cubinFromJson(report, bundle.path + "/" + pathTo("json")));
  MLAC_TRY(cubin, readListedFile(bundle, pathTo("cubin")));
  output.cubin = std::move(cubin);
  into.cubins[kernel.entry] = std::move(output);
  return Unit{};
}

/// Cubins of the bundle for the target they were packed for; everything else is compiled.
CubinSource bundledCubins(const std::shared_ptr<const BundledFamily>& bundled) {
  return [bundled, fallback = cachedNvrtc()](const KernelFamily& family,
                                             const Kernel& kernel,
                                             std::string_view target) -> Result<SourcedCubin> {
    const auto cubin = bundled->cubins.find(kernel.entry);
    if (cubin != bundled->cubins.end() && target == family.target)
      return SourcedCubin{cubin->second, std::string(target), "bundle"};
    return fallback(family, kernel, target);
  };
}

int smOf(const std::string& target) {
  const auto found = findTarget(target);
  return found ? (*found)->sm : 0;
}

/// The newest of `name` that runs on `device`.
Result<BundleItem> chooseItem(const Bundle& bundle, const std::string& name, const Device& device) {
  const int present = smOf(device.targetName());
  const BundleItem* best = nullptr;
  std::vector<std::string> targets;
  const std::vector<BundleItem> items = itemsOf(bundle);
  for (const BundleItem& item : items) {
    if (item.name != name)
      continue;
    targets.push_back(item.target);
    const bool runs = smOf(item.target) > 0 && smOf(item.target) <= present;
    if (runs && (best == nullptr || smOf(item.target) > smOf(best->target)))
      best = &item;
  }
  if (best != nullptr)
    return *best;
  if (targets.empty())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} has no attention '{}'; it has {}",
                             bundle.get().path,
                             name,
                             fmt::join(bundle.names(), ", "))};
  return Error{ErrorCode::Unsupported,
               fmt::format("{} has '{}' for {}; {} needs {} or older",
                           bundle.get().path,
                           name,
                           fmt::join(targets, ", "),
                           device.name(),
                           device.targetName())};
}

} // namespace

Bundle::Bundle(std::shared_ptr<const Impl> impl) : impl(std::move(impl)) {}

Result<Bundle> Bundle::open(const std::string& path) {
  const std::string tablePath = path + "/" + kBundleTableName;
  auto text = readFile(tablePath);
  if (!text)
    return Error{text.error().code, fmt::format("{} is no bundle: {}", path, text.error().message)};
  MLAC_TRY(table, tableFromJson(*text, tablePath));
  return Bundle(std::make_shared<const Impl>(Impl{path, std::move(table)}));
}

std::vector<std::string> Bundle::names() const {
  std::set<std::string> names;
  for (const BundleTable::Family& family : impl->table.families)
    names.insert(family.name);
  return {names.begin(), names.end()};
}

Result<Family> Bundle::family(std::string_view name, const Device& device) const {
  std::string wanted(name);
  if (const auto all = names(); wanted.empty()) {
    if (all.size() != 1)
      return Error{ErrorCode::InvalidInput,
                   fmt::format("{} holds {} attentions ({}); name one",
                               impl->path,
                               all.size(),
                               fmt::join(all, ", "))};
    wanted = all.front();
  }
  MLAC_TRY(item, chooseItem(*this, wanted, device));
  MLAC_TRY(bundled, readFamily(*this, item));
  const auto shared = std::make_shared<const BundledFamily>(std::move(bundled));
  return loadFamily(shared->family, device, bundledCubins(shared));
}

std::vector<BundleItem> itemsOf(const Bundle& bundle) {
  std::vector<BundleItem> items;
  for (const BundleTable::Family& family : bundle.get().table.families)
    items.push_back({family.name, family.target});
  return items;
}

Result<BundledFamily> readFamily(const Bundle& bundle, const BundleItem& item) {
  const Bundle::Impl& impl = bundle.get();
  const std::string path = familyPath(item.name, item.target);
  MLAC_TRY(text, readListedFile(impl, path));
  MLAC_TRY(family, familyFromJson(text, impl.path + "/" + path));
  if (family.variant.name != item.name || family.target != item.target)
    return Error{
        ErrorCode::InvalidInput,
        fmt::format(
            "{}/{} describes '{}' for {}", impl.path, path, family.variant.name, family.target)};
  BundledFamily bundled;
  bundled.family = std::move(family);
  for (Kernel& kernel : bundled.family.kernels)
    MLAC_CHECK(readKernelFiles(impl, kernel, bundled));
  MLAC_CHECK(checkFamily(bundled.family));
  return bundled;
}

Result<std::vector<BundledFamily>> readBundle(const std::string& path) {
  MLAC_TRY(bundle, Bundle::open(path));
  std::vector<BundledFamily> families;
  for (const BundleItem& item : itemsOf(bundle)) {
    MLAC_TRY(family, readFamily(bundle, item));
    families.push_back(std::move(family));
  }
  return families;
}

} // namespace mlac
