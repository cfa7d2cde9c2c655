#include "runtime/nvrtc/Nvrtc.h"

#include "common/Digest.h"
#include "common/Log.h"
#include "common/Options.h"
#include "runtime/FileIo.h"
#include "runtime/SharedLibrary.h"
#include "runtime/nvrtc/NvrtcStatus.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#ifndef MLAC_NVRTC_HINT
#define MLAC_NVRTC_HINT ""
#endif

namespace mlac {
namespace {

constexpr int kMinMajor = 12;
constexpr int kMinMinor = 8;
constexpr std::array<const char*, 3> kFileNames = {
    "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};

struct Candidate {
  std::string file;
  std::string foundBy;
};

void addFolder(std::vector<Candidate>& candidates,
               const std::string& folder,
               const std::string& foundBy) {
  for (const char* name : kFileNames)
    candidates.push_back({folder + "/" + name, foundBy});
}

std::vector<Candidate> candidatesOf(const NvrtcSearch& search) {
  std::vector<Candidate> candidates;
  std::error_code ignored;
  if (!search.explicitPath.empty()) {
    if (std::filesystem::is_directory(search.explicitPath, ignored))
      addFolder(candidates, search.explicitPath, "MLAC_NVRTC");
    else
      candidates.push_back({search.explicitPath, "MLAC_NVRTC"});
    return candidates;
  }
  if (search.useLoaderPath)
    for (const char* name : kFileNames)
      candidates.push_back({name, "the loader's path"});
  for (const std::string& folder : search.folders)
    addFolder(candidates, folder, folder);
  return candidates;
}

Status bindEntries(void* library, const std::string& file, NvrtcApi& api) {
  const auto missing = [&](const char* name) {
    return Error{ErrorCode::MissingDependency, fmt::format("{} has no {}", file, name)};
  };
#define MLAC_NVRTC_ENTRY(name, params)                                                             \
  api.name = reinterpret_cast<decltype(api.name)>(librarySymbol(library, #name));                  \
  if (api.name == nullptr)                                                                         \
    return missing(#name);
#include "runtime/nvrtc/NvrtcEntries.def"
  api.nvrtcGetErrorString = reinterpret_cast<decltype(api.nvrtcGetErrorString)>(
      librarySymbol(library, "nvrtcGetErrorString"));
  if (api.nvrtcGetErrorString == nullptr)
    return missing("nvrtcGetErrorString");
  return Unit{};
}

// NVRTC opens its builtins by plain name, which the loader cannot find when libnvrtc lies outside
// its own path. Once loaded from beside libnvrtc, the plain name resolves to it.
void preloadBuiltins(const Nvrtc& nvrtc) {
  const std::filesystem::path folder = std::filesystem::path(nvrtc.path).parent_path();
  const std::string versioned = fmt::format("libnvrtc-builtins.so.{}.{}", nvrtc.major, nvrtc.minor);
  for (const std::string& name : {versioned, std::string("libnvrtc-builtins.so")})
    if (openLibraryGlobally((folder / name).string()))
      return;
  logMessage(LogLevel::Info, fmt::format("no {} beside {}", versioned, nvrtc.path));
}

Status readSupported(Nvrtc& nvrtc) {
  int count = 0;
  MLAC_NVRTC(nvrtc.api, nvrtcGetNumSupportedArchs, &count);
  nvrtc.supported.resize(static_cast<std::size_t>(std::max(count, 0)));
  MLAC_NVRTC(nvrtc.api, nvrtcGetSupportedArchs, nvrtc.supported.data());
  std::sort(nvrtc.supported.begin(), nvrtc.supported.end());
  return Unit{};
}

Result<Nvrtc> loadCandidate(const Candidate& candidate) {
  MLAC_TRY(library, openLibrary(candidate.file));
  Nvrtc nvrtc;
  nvrtc.foundBy = candidate.foundBy;
  // Asked first and by itself: an old library may lack entries, and its age is the better message.
  nvrtc.api.nvrtcVersion =
      reinterpret_cast<decltype(nvrtc.api.nvrtcVersion)>(librarySymbol(library, "nvrtcVersion"));
  if (nvrtc.api.nvrtcVersion == nullptr || nvrtc.api.nvrtcVersion(&nvrtc.major, &nvrtc.minor) != 0)
    return Error{ErrorCode::MissingDependency, "is not NVRTC: it has no nvrtcVersion"};
  const void* address = reinterpret_cast<const void*>(nvrtc.api.nvrtcVersion);
  nvrtc.path = libraryOfAddress(address);
  if (!nvrtc.atLeast(kMinMajor, kMinMinor))
    return Error{ErrorCode::MissingDependency,
                 fmt::format("is NVRTC {}.{}, and {}.{} or newer is needed",
                             nvrtc.major,
                             nvrtc.minor,
                             kMinMajor,
                             kMinMinor)};
  MLAC_CHECK(bindEntries(library, candidate.file, nvrtc.api));
  MLAC_CHECK(readSupported(nvrtc));
  nvrtc.buildId = buildIdOfAddress(address);
  if (nvrtc.buildId.empty()) {
    MLAC_TRY(bytes, readFile(nvrtc.path));
    nvrtc.buildId = "xxh3-" + digestHex(bytes);
  }
  preloadBuiltins(nvrtc);
  return nvrtc;
}

} // namespace

std::string Nvrtc::supportedNames() const {
  std::vector<std::string> names;
  for (const int arch : supported)
    names.push_back(fmt::format("sm_{}", arch));
  return fmt::format("{}", fmt::join(names, " "));
}

bool Nvrtc::supports(std::string_view target) const {
  constexpr std::string_view kPrefix = "sm_";
  if (!target.starts_with(kPrefix))
    return false;
  target.remove_prefix(kPrefix.size());
  if (target.ends_with('a') || target.ends_with('f'))
    target.remove_suffix(1);
  int arch = 0;
  const auto [end, error] = std::from_chars(target.data(), target.data() + target.size(), arch);
  return error == std::errc() && end == target.data() + target.size() &&
         std::binary_search(supported.begin(), supported.end(), arch);
}

NvrtcSearch nvrtcSearchFromEnvironment() {
  NvrtcSearch search;
  search.explicitPath = options().nvrtc;
  for (const std::string& root : {options().cudaHome, options().cudaPath})
    if (!root.empty())
      search.folders.insert(search.folders.end(), {root + "/lib64", root + "/lib"});
  search.folders.push_back("/usr/local/cuda/lib64");
  if (const std::string hint = MLAC_NVRTC_HINT; !hint.empty())
    search.folders.push_back(hint);
  return search;
}

Result<Nvrtc> loadNvrtc(const NvrtcSearch& search) {
  std::string tried;
  for (const Candidate& candidate : candidatesOf(search)) {
    auto nvrtc = loadCandidate(candidate);
    if (nvrtc) {
      logMessage(LogLevel::Info,
                 fmt::format("NVRTC {}.{}: {} (found by {})",
                             nvrtc->major,
                             nvrtc->minor,
                             nvrtc->path,
                             nvrtc->foundBy));
      return nvrtc;
    }
    tried += fmt::format("\n  {}: {}", candidate.file, nvrtc.error().message);
  }
  return Error{ErrorCode::MissingDependency,
               fmt::format("no NVRTC of version {}.{} or newer was found; install it (the wheel "
                           "nvidia-cuda-nvrtc will do) or set MLAC_NVRTC to its file or folder. "
                           "Tried:{}",
                           kMinMajor,
                           kMinMinor,
                           tried)};
}

Result<const Nvrtc*> processNvrtc() {
  static const Result<Nvrtc> loaded = loadNvrtc(nvrtcSearchFromEnvironment());
  if (!loaded)
    return loaded.error();
  return &*loaded;
}

} // namespace mlac
