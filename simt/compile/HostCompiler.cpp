// Generated CUDA to a shared object of this machine, by its C++ compiler.
#include "common/Digest.h"
#include "common/Options.h"
#include "common/Process.h"
#include "common/Target.h"
#include "runtime/FileIo.h"
#include "runtime/cache/DiskCache.h"
#include "simt/Simt.h"
#include "simt/compile/DeviceText.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>

namespace mlac::simt {
namespace {

struct HostCxx {
  std::string program;
  std::string version; ///< first line of --version
  bool isClang = false;
};

std::optional<HostCxx> tryCompiler(const std::string& program) {
  const auto output = runProcess({program, "--version"});
  if (!output || output->status != 0)
    return std::nullopt;
  const std::string& text = output->standardOutput;
  return HostCxx{program, text.substr(0, text.find('\n')), text.find("clang") != std::string::npos};
}

Result<HostCxx> findCompiler() {
  std::vector<std::string> candidates = {"c++", "g++", "clang++"};
  if (!options().cxx.empty())
    candidates = {options().cxx};
  for (const std::string& candidate : candidates)
    if (const auto found = tryCompiler(candidate))
      return *found;
  return Error{ErrorCode::MissingDependency,
               fmt::format("running generated CUDA on the CPU needs a C++ compiler, and none was "
                           "found: tried {}. Install g++, or set MLAC_CXX to one",
                           fmt::join(candidates, ", "))};
}

/// Found once a process.
const Result<HostCxx>& hostCxx() {
  static const Result<HostCxx> found = findCompiler();
  return found;
}

std::string deviceTextDigest() {
  std::string all;
  for (const DeviceFile& file : deviceFiles())
    all.append(file.name).append("\n").append(file.text);
  return digestHex(all);
}

std::vector<std::string> compilerFlags(const HostCxx& cxx, int sm) {
  // -O1 keeps every access that the kernel's text has: at -O2 g++ joins neighbouring stores.
  // Sanitizers give the calls; the executor, not a sanitizer's library, answers them.
  std::vector<std::string> flags = {"-std=c++17",
                                    "-O1",
                                    "-g1",
                                    "-gdwarf-4", // addr2line mistakes files in g++'s DWARF 5
                                    "-fPIC",
                                    "-shared",
                                    "-fno-exceptions",
                                    "-fasynchronous-unwind-tables",
                                    "-fno-strict-aliasing",
                                    "-fno-optimize-sibling-calls", // they hide the site
                                    "-ffp-contract=off",
                                    "-w",
                                    "-fsanitize=thread",
                                    "-fsanitize-coverage=trace-pc",
                                    "-nodefaultlibs",
                                    "-Wl,-Bsymbolic",
                                    fmt::format("-D__CUDA_ARCH__={}", sm * 10)};
  if (cxx.isClang)
    flags.insert(flags.end(), {"-mllvm", "-tsan-instrument-func-entry-exit=0", "-Wno-everything"});
  else // jump threading makes copies of an instruction, which lanes of a warp then do not share
    flags.insert(flags.end(),
                 {"-fno-thread-jumps", "--param", "tsan-instrument-func-entry-exit=0"});
  return flags;
}

/// The one file the compiler is given: the kernel between CUDA's words and the executor's hooks.
std::string translationUnit(const RawKernel& kernel) {
  return fmt::format("#include \"simt/device/prelude.h\"\n"
                     "#include \"simt/device/vectors.h\"\n"
                     "#include \"simt/device/numbers.h\"\n"
                     "#include \"{0}.cu\"\n"
                     "#include \"simt/device/callbacks.h\"\n"
                     "extern \"C\" MLAC_UNSEEN void mlacSimtCall(const void* args) {{\n"
                     "  mlac::simt::callWith({0}, args);\n"
                     "}}\n"
                     "extern \"C\" MLAC_UNSEEN const char* mlacSimtEntry() {{ return \"{0}\"; }}\n"
                     "asm(\".section .rodata\\n.globl mlacSimtSource\\nmlacSimtSource:\\n\"\n"
                     "    \".incbin \\\"{0}.cu\\\"\\n.byte 0\\n.text\\n\");\n",
                     kernel.entry);
}

/// A folder that is gone when this is.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code ignored;
    std::string pattern =
        (std::filesystem::temp_directory_path(ignored) / "mlac-simt-XXXXXX").string();
    if (mkdtemp(pattern.data()) != nullptr)
      name = pattern;
  }

  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  ~TemporaryFolder() {
    std::error_code ignored;
    if (!name.empty())
      std::filesystem::remove_all(name, ignored);
  }

  const std::string& path() const { return name; }

private:
  std::string name;
};

Status writeSources(const std::string& folder, const RawKernel& kernel) {
  MLAC_CHECK(makeFolders(folder + "/simt/device"));
  for (const DeviceFile& file : deviceFiles())
    MLAC_CHECK(replaceFile(fmt::format("{}/{}", folder, file.name), file.text));
  MLAC_CHECK(replaceFile(fmt::format("{}/{}.cu", folder, kernel.entry), kernel.source));
  return replaceFile(folder + "/unit.cpp", translationUnit(kernel));
}

Result<std::string> compileWith(const HostCxx& cxx, int sm, const RawKernel& kernel) {
  const TemporaryFolder folder;
  if (folder.path().empty())
    return Error{ErrorCode::IoFailed, "no folder for temporary files can be made; set TMPDIR"};
  MLAC_CHECK(writeSources(folder.path(), kernel));
  std::vector<std::string> command = compilerFlags(cxx, sm);
  command.insert(command.begin(), cxx.program);
  const std::string image = folder.path() + "/kernel.so";
  command.insert(command.end(),
                 {"-I",
                  folder.path(),
                  "-Wa,-I," + folder.path(),
                  folder.path() + "/unit.cpp",
                  "-o",
                  image,
                  "-lm",
                  "-lc",
                  "-lgcc"});
  MLAC_TRY(output, runProcess(command));
  if (output.status != 0)
    return Error{ErrorCode::CompileFailed,
                 fmt::format("{} does not compile {} for the SIMT executor:\n{}",
                             cxx.program,
                             kernel.entry,
                             output.standardError)};
  return readFile(image);
}

KernelKey keyOf(const HostCxx& cxx, int sm, const RawKernel& kernel) {
  static const std::string deviceDigest = deviceTextDigest();
  KernelKey key;
  key.identity = fmt::format("role simt\nentry {}\ntarget {}\nsource {} bytes\n{}",
                             kernel.entry,
                             kernel.target,
                             kernel.source.size(),
                             kernel.source);
  key.toolchain = fmt::format("host {}\ndevice text {}\noptions {}\n",
                              cxx.version,
                              deviceDigest,
                              fmt::join(compilerFlags(cxx, sm), " "));
  return key;
}

struct HostImage {
  std::string elf;
  bool cached = false;
};

Result<HostImage> imageFor(const RawKernel& kernel) {
  const Result<HostCxx>& cxx = hostCxx();
  if (!cxx)
    return cxx.error();
  MLAC_TRY(target, findTarget(kernel.target));
  static DiskCache cache(options().kernelCacheDir());
  const KernelKey key = keyOf(*cxx, target->sm, kernel);
  if (auto kept = cache.find(key))
    return HostImage{std::move(kept->cubin), true};
  MLAC_TRY(elf, compileWith(*cxx, target->sm, kernel));
  CompileOutput entry;
  entry.cubin = elf;
  cache.store(key, entry);
  return HostImage{std::move(elf), false};
}

} // namespace

Result<std::string> compileForHost(const RawKernel& kernel) {
  MLAC_TRY(image, imageFor(kernel));
  return std::move(image.elf);
}

CubinSource hostCompiler() {
  return [](const KernelFamily&,
            const Kernel& kernel,
            std::string_view target) -> Result<SourcedCubin> {
    MLAC_TRY(image, imageFor({kernel.source, kernel.entry, std::string(target)}));
    SourcedCubin made;
    made.output.cubin = std::move(image.elf);
    made.target = target;
    made.origin = image.cached ? "disk cache" : "compiled";
    return made;
  };
}

} // namespace mlac::simt
