// mlac generate: the kernels of a spec, at any stage of the street.
#include "compiler/spec/PrintVariant.h"
#include "runtime/CheckFamily.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/Cubins.h"
#include "tools/mlac/OutputFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <unistd.h>

namespace mlac {
namespace {

struct GenerateOptions {
  SpecOptions spec;
  std::string emit = "cuda";
  bool flatten = false;
  std::string kernel;
  std::string output;
};

/// One text or binary of the product.
struct Artifact {
  std::string name;   ///< kernel entry, or the attention's name
  std::string suffix; ///< of its file, such as ".cu"
  std::string bytes;
  bool isMain = false; ///< what a single file holds unless a kernel is named
};

using Artifacts = std::vector<Artifact>;

Artifacts stageArtifact(const Variant& variant, const char* suffix, std::string text) {
  return {{variant.name, suffix, std::move(text), true}};
}

/// The attention kernel for many tokens, or the only one.
std::size_t mainKernel(const KernelFamily& family) {
  std::size_t main = 0;
  for (std::size_t i = 0; i < family.kernels.size(); ++i)
    if (family.kernels[i].role == KernelRole::Attention)
      main = i;
  return main;
}

Artifacts kernelArtifacts(const KernelFamily& family,
                          const char* suffix,
                          const std::vector<std::string>& contents) {
  Artifacts artifacts;
  artifacts.reserve(contents.size());
  const std::size_t main = mainKernel(family);
  for (std::size_t i = 0; i < contents.size(); ++i)
    artifacts.push_back({family.kernels[i].entry, suffix, contents[i], i == main});
  return artifacts;
}

Artifacts cudaArtifacts(const Compiled& compiled, bool flatten) {
  if (!flatten)
    return kernelArtifacts(compiled.family, ".cu", compiled.sources);
  std::vector<std::string> sources;
  sources.reserve(compiled.family.kernels.size());
  for (const Kernel& kernel : compiled.family.kernels)
    sources.push_back(kernel.source);
  return kernelArtifacts(compiled.family, ".cu", sources);
}

Result<Artifacts> ptxArtifacts(const KernelFamily& family) {
  MLAC_TRY(outputs, compileKernelsAfresh(family));
  std::vector<std::string> texts;
  texts.reserve(outputs.size());
  for (CompileOutput& output : outputs)
    texts.push_back(output.ptx + "\n");
  return kernelArtifacts(family, ".ptx", texts);
}

Result<Artifacts> cubinArtifacts(const KernelFamily& family) {
  MLAC_TRY(outputs, compileKernels(family));
  std::vector<std::string> images;
  images.reserve(outputs.size());
  for (CompileOutput& output : outputs)
    images.push_back(std::move(output.cubin));
  return kernelArtifacts(family, ".cubin", images);
}

/// The checked attentions with every default written out; needs no target.
Result<Artifacts> astArtifacts(const std::string& reference) {
  MLAC_TRY(variants, loadAttentions(reference));
  Artifacts artifacts;
  for (const Variant& variant : variants)
    artifacts.push_back({variant.name, ".mlac", printVariant(variant), variants.size() == 1});
  return artifacts;
}

Result<Artifacts> makeArtifacts(Console& console, const GenerateOptions& options) {
  if (options.emit == "ast")
    return astArtifacts(options.spec.reference);
  MLAC_TRY(request, compileRequestOf(console, options.spec));
  if (options.emit == "mlir") {
    MLAC_TRY(text, attentionText(request.variant));
    return stageArtifact(request.variant, ".mlir", text);
  }
  MLAC_TRY(compiled, compileFamily(request));
  if (options.emit == "schedule")
    return stageArtifact(request.variant, ".schedule.mlir", compiled.stages.schedule);
  if (options.emit == "cuda")
    return cudaArtifacts(compiled, options.flatten);
  return options.emit == "ptx" ? ptxArtifacts(compiled.family) : cubinArtifacts(compiled.family);
}

std::string namesOf(const Artifacts& artifacts) {
  std::string names;
  for (const Artifact& artifact : artifacts)
    names += (names.empty() ? "" : " ") + artifact.name;
  return names;
}

/// Keeps the kernel that --kernel names.
Result<Artifacts> selectKernel(Artifacts artifacts, const std::string& kernel) {
  if (kernel.empty())
    return artifacts;
  for (Artifact& artifact : artifacts)
    if (artifact.name == kernel)
      return Artifacts{{artifact.name, artifact.suffix, artifact.bytes, true}};
  return Error{ErrorCode::InvalidInput,
               fmt::format("--kernel {}: there is none of that name; there are {}",
                           kernel,
                           namesOf(artifacts))};
}

Result<Artifact> mainArtifact(const Artifacts& artifacts, const std::string& output) {
  for (const Artifact& artifact : artifacts)
    if (artifact.isMain)
      return artifact;
  return Error{ErrorCode::InvalidInput,
               fmt::format("{} attentions do not go into one file; name one (FILE:NAME), or give a "
                           "folder instead of {}",
                           artifacts.size(),
                           output)};
}

Result<std::vector<OutputFile>> filesOf(const Artifacts& artifacts, const std::string& output) {
  std::vector<OutputFile> files;
  if (!namesFolder(output)) {
    MLAC_TRY(main, mainArtifact(artifacts, output));
    files.push_back({output, main.bytes});
    return files;
  }
  for (const Artifact& artifact : artifacts)
    files.push_back({(std::filesystem::path(output) / (artifact.name + artifact.suffix)).string(),
                     artifact.bytes});
  return files;
}

Status writeFiles(Console& console, const GenerateOptions& options, const Artifacts& artifacts) {
  MLAC_TRY(files, filesOf(artifacts, options.output));
  MLAC_CHECK(writeOutputs(files));
  Json written = Json::array();
  for (const OutputFile& file : files) {
    console.note(fmt::format("wrote {} ({} bytes)", file.path, file.bytes.size()));
    written.push_back({{"path", file.path}, {"bytes", file.bytes.size()}});
  }
  if (console.json)
    console.printJson({{"emit", options.emit}, {"files", written}});
  return Unit{};
}

Status printCubin(Console& console, const Artifacts& artifacts) {
  if (isatty(STDOUT_FILENO) != 0)
    return Error{ErrorCode::InvalidInput,
                 "a cubin is binary and standard output is a terminal; write it with -o"};
  MLAC_TRY(main, mainArtifact(artifacts, "standard output"));
  console.print(main.bytes);
  return Unit{};
}

Status printJson(Console& console, const GenerateOptions& options, const Artifacts& artifacts) {
  if (options.emit == "cubin")
    return Error{ErrorCode::InvalidInput,
                 "a cubin has no place in JSON; give -o, and --json lists the files written"};
  Json list = Json::array();
  for (const Artifact& artifact : artifacts)
    list.push_back({{"name", artifact.name}, {"text", artifact.bytes}});
  console.printJson({{"emit", options.emit}, {"texts", list}});
  return Unit{};
}

Status
printArtifacts(Console& console, const GenerateOptions& options, const Artifacts& artifacts) {
  if (console.json)
    return printJson(console, options, artifacts);
  if (options.emit == "cubin")
    return printCubin(console, artifacts);
  for (const Artifact& artifact : artifacts) {
    if (artifacts.size() > 1)
      console.print(fmt::format("// ---- {}\n", artifact.name));
    console.print(artifact.bytes);
  }
  return Unit{};
}

/// All attentions as one spec, a record that they share once.
Status printAst(Console& console, const GenerateOptions& options) {
  MLAC_TRY(variants, loadAttentions(options.spec.reference));
  console.print(printVariants(variants));
  return Unit{};
}

Status generate(Console& console, const GenerateOptions& options) {
  const bool isPrinted = options.output.empty() || options.output == "-";
  if (isPrinted && options.emit == "ast" && options.kernel.empty() && !console.json)
    return printAst(console, options);
  MLAC_TRY(made, makeArtifacts(console, options));
  MLAC_TRY(artifacts, selectKernel(std::move(made), options.kernel));
  if (isPrinted)
    return printArtifacts(console, options, artifacts);
  return writeFiles(console, options, artifacts);
}

} // namespace

Action declareGenerate(CLI::App& app, Console& console) {
  const auto options = std::make_shared<GenerateOptions>();
  addSpecOptions(app, options->spec);
  app.add_option("--emit", options->emit, "What to write: ast, mlir, schedule, cuda, ptx, cubin")
      ->check(CLI::IsMember({"ast", "mlir", "schedule", "cuda", "ptx", "cubin"}))
      ->type_name("STAGE")
      ->capture_default_str();
  app.add_flag("--flatten",
               options->flatten,
               "Write templates into the source, so that it needs no other file");
  app.add_option("--kernel", options->kernel, "Only the kernel of this name")->type_name("ENTRY");
  app.add_option(
         "-o,--output",
         options->output,
         "A folder for a file of each kernel, or a file for one: --kernel, or the attention "
         "kernel for many tokens. Without it standard output")
      ->type_name("FILE|DIR");
  addJsonOption(app, console);
  return [options, &console] { return generate(console, *options); };
}

} // namespace mlac
