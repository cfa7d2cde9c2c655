#include "tools/mlac/RunSubject.h"

#include "runtime/Family.h"
#include "runtime/bundle/Bundle.h"
#include "tools/mlac/ExitCode.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace mlac {
namespace {

bool isFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

Result<Variant>
variantIn(const Bundle& bundle, const std::string& path, const std::optional<std::string>& name) {
  const std::vector<std::string> names = bundle.names();
  if (!name && names.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} holds {} attentions; write {}:NAME to choose one (`mlac inspect "
                             "{}` lists them)",
                             path,
                             names.size(),
                             path,
                             path)};
  const std::string wanted = name.value_or(names.front());
  for (const BundleItem& item : itemsOf(bundle))
    if (item.name == wanted) {
      MLAC_TRY(bundled, readFamily(bundle, item));
      return bundled.family.variant;
    }
  return Error{
      ErrorCode::InvalidInput,
      fmt::format(
          "{} holds no attention named '{}' (`mlac inspect {}` lists them)", path, wanted, path)};
}

Result<RunSubject> loadBundle(const SpecReference& reference, const SpecOptions& options) {
  if (!options.arch.empty() || !options.overrides.empty())
    return Error{ErrorCode::InvalidInput,
                 fmt::format("{} is a bundle, whose kernels are generated already; -a and --set go "
                             "with `mlac pack` or a spec",
                             reference.file)};
  MLAC_TRY(bundle, Bundle::open(reference.file));
  MLAC_TRY(variant, variantIn(bundle, reference.file, reference.name));
  return RunSubject{variant, bundle, {}};
}

Result<KernelFamily> generateFor(const RunSubject& subject, std::string_view targetName) {
  CompileRequest request;
  request.variant = subject.variant;
  MLAC_TRY(target, findTarget(targetName));
  request.target = target;
  for (const std::string& text : subject.spec.overrides) {
    MLAC_TRY(set, parseOverride(text));
    request.overrides.push_back(set);
  }
  MLAC_TRY(compiled, compileFamily(request));
  return std::move(compiled.family);
}

Result<KernelFamily> newestIn(const Bundle& bundle, const std::string& name) {
  BundleItem newest;
  int newestSm = 0;
  for (const BundleItem& item : itemsOf(bundle)) {
    if (item.name != name)
      continue;
    MLAC_TRY(target, findTarget(item.target));
    if (target->sm > newestSm) {
      newest = item;
      newestSm = target->sm;
    }
  }
  MLAC_TRY(bundled, readFamily(bundle, newest));
  return std::move(bundled.family);
}

/// Kernels that are right in themselves may not suit the device.
Result<Family> blamingDevice(Result<Family> family) {
  if (!family)
    return blameEnvironment(family.error());
  return family;
}

} // namespace

Result<RunSubject> loadSubject(const SpecOptions& options) {
  const SpecReference reference = splitSpecReference(options.reference);
  if (isFolder(reference.file))
    return loadBundle(reference, options);
  MLAC_TRY(variant, loadAttention(options.reference));
  if (!options.arch.empty())
    MLAC_CHECK(findTarget(options.arch));
  return RunSubject{variant, std::nullopt, options};
}

Result<Family> loadOn(const RunSubject& subject, const Device& device) {
  if (subject.bundle)
    return blamingDevice(subject.bundle->family(subject.variant.name, device));
  const std::string& arch = subject.spec.arch;
  MLAC_TRY(family, generateFor(subject, arch.empty() ? device.targetName() : arch));
  return blamingDevice(loadFamily(family, device, cachedNvrtc()));
}

Result<KernelFamily> generatedKernels(const RunSubject& subject) {
  if (subject.bundle)
    return newestIn(*subject.bundle, subject.variant.name);
  const std::string& arch = subject.spec.arch;
  return generateFor(subject, arch.empty() ? kFallbackTarget : std::string_view(arch));
}

} // namespace mlac
