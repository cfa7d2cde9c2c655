#include "runtime/nvrtc/Compile.h"

#include "runtime/nvrtc/NvrtcStatus.h"

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>

namespace mlac {
namespace {

// NVRTC's own disk cache, which came with 12.9, answers with an empty log: the resources would be
// lost.
constexpr int kOwnCacheMajor = 12;
constexpr int kOwnCacheMinor = 9;

class Program {
public:
  static Result<std::unique_ptr<Program>>
  create(const NvrtcApi& api, const std::string& source, const std::string& name) {
    auto program = std::unique_ptr<Program>(new Program(api));
    MLAC_NVRTC(api,
               nvrtcCreateProgram,
               &program->handle,
               source.c_str(),
               name.c_str(),
               0,
               nullptr,
               nullptr);
    return program;
  }

  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  ~Program() {
    if (handle != nullptr)
      api.nvrtcDestroyProgram(&handle);
  }

  NvrtcProgram get() const { return handle; }

private:
  explicit Program(const NvrtcApi& api) : api(api) {}

  const NvrtcApi& api;
  NvrtcProgram handle = nullptr;
};

using SizeEntry = NvrtcResult (*)(NvrtcProgram, std::size_t*);
using BytesEntry = NvrtcResult (*)(NvrtcProgram, char*);

Result<std::string> fetch(const NvrtcApi& api,
                          NvrtcProgram program,
                          SizeEntry size,
                          BytesEntry bytes,
                          std::string_view what) {
  std::size_t count = 0;
  MLAC_CHECK(nvrtcStatus(api, size(program, &count), what));
  std::string fetched(count, '\0');
  MLAC_CHECK(nvrtcStatus(api, bytes(program, fetched.data()), what));
  return fetched;
}

// Sizes of texts count the terminator.
std::string withoutTerminator(std::string text) {
  while (!text.empty() && text.back() == '\0')
    text.pop_back();
  return text;
}

Error compileError(const CompileInput& input, const std::string& log, const std::string& reason) {
  return {ErrorCode::CompileFailed,
          fmt::format("NVRTC refused {} for {} ({}):\n{}", input.name, input.target, reason, log)};
}

/// The number right before `suffix` in `line`, if it stands there.
std::optional<int> numberBefore(std::string_view line, std::string_view suffix) {
  const std::size_t end = line.find(suffix);
  if (end == std::string_view::npos)
    return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && line[begin - 1] >= '0' && line[begin - 1] <= '9')
    --begin;
  int number = 0;
  if (std::from_chars(line.data() + begin, line.data() + end, number).ptr != line.data() + end)
    return std::nullopt;
  return begin == end ? std::nullopt : std::optional(number);
}

void readPropertyLine(std::string_view line, Resources& resources) {
  if (const auto bytes = numberBefore(line, " bytes stack frame"))
    resources.stackBytes = *bytes;
  if (const auto bytes = numberBefore(line, " bytes spill stores"))
    resources.spillStoreBytes = *bytes;
  if (const auto bytes = numberBefore(line, " bytes spill loads"))
    resources.spillLoadBytes = *bytes;
}

void readUsageLine(std::string_view line, Resources& resources) {
  if (const auto count = numberBefore(line, " registers"))
    resources.registers = *count;
  if (const auto bytes = numberBefore(line, " bytes smem"))
    resources.staticSmemBytes = *bytes;
}

} // namespace

std::vector<std::string> compileOptions(const Nvrtc& nvrtc, const CompileInput& input) {
  std::vector<std::string> options = {
      fmt::format("--gpu-architecture={}", input.target), "--std=c++17", "--ptxas-options=-v"};
  if (nvrtc.atLeast(kOwnCacheMajor, kOwnCacheMinor))
    options.emplace_back("-no-cache");
  options.insert(options.end(), input.extraOptions.begin(), input.extraOptions.end());
  return options;
}

Result<CompileOutput> compileSource(const Nvrtc& nvrtc, const CompileInput& input) {
  if (!nvrtc.supports(input.target))
    return Error{ErrorCode::Unsupported,
                 fmt::format("NVRTC {}.{} ({}) cannot compile for {}; it has {}",
                             nvrtc.major,
                             nvrtc.minor,
                             nvrtc.path,
                             input.target,
                             nvrtc.supportedNames())};
  const NvrtcApi& api = nvrtc.api;
  MLAC_TRY(program, Program::create(api, std::string(input.source), std::string(input.name)));
  const std::vector<std::string> options = compileOptions(nvrtc, input);
  std::vector<const char*> words;
  for (const std::string& option : options)
    words.push_back(option.c_str());
  const NvrtcResult code =
      api.nvrtcCompileProgram(program->get(), static_cast<int>(words.size()), words.data());
  const auto status = nvrtcStatus(api, code, "nvrtcCompileProgram");
  MLAC_TRY(rawLog,
           fetch(api,
                 program->get(),
                 api.nvrtcGetProgramLogSize,
                 api.nvrtcGetProgramLog,
                 "nvrtcGetProgramLog"));
  CompileOutput output;
  output.log = withoutTerminator(rawLog);
  if (!status && status.error().code == ErrorCode::CompileFailed)
    return compileError(input, output.log, status.error().message);
  MLAC_CHECK(status);
  MLAC_TRY(cubin,
           fetch(api, program->get(), api.nvrtcGetCUBINSize, api.nvrtcGetCUBIN, "nvrtcGetCUBIN"));
  // A virtual architecture yields no cubin, and NVRTC calls that success.
  if (cubin.empty())
    return compileError(input, output.log, "no cubin came back");
  MLAC_TRY(ptx, fetch(api, program->get(), api.nvrtcGetPTXSize, api.nvrtcGetPTX, "nvrtcGetPTX"));
  output.cubin = std::move(cubin);
  output.ptx = withoutTerminator(ptx);
  output.resources = parsePtxasLog(output.log, input.entry);
  return output;
}

Resources parsePtxasLog(std::string_view log, std::string_view entry) {
  Resources resources;
  const std::string compiling = fmt::format("Compiling entry function '{}'", entry);
  const std::string properties = fmt::format("Function properties for {}", entry);
  bool inEntry = false;
  bool propertiesFollow = false;
  while (!log.empty()) {
    const std::size_t end = log.find('\n');
    const std::string_view line = log.substr(0, end);
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (line.find("Compiling entry function '") != std::string_view::npos)
      inEntry = line.find(compiling) != std::string_view::npos;
    if (propertiesFollow)
      readPropertyLine(line, resources);
    propertiesFollow = line.ends_with(properties);
    if (inEntry && line.find(": Used ") != std::string_view::npos)
      readUsageLine(line, resources);
  }
  return resources;
}

} // namespace mlac
