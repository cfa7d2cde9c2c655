// mlac fmt: spec files in canonical form.
#include "compiler/spec/Format.h"
#include "compiler/spec/Parser.h"
#include "tools/mlac/Command.h"
#include "tools/mlac/CommonOptions.h"
#include "tools/mlac/Console.h"
#include "tools/mlac/OutputFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace mlac {
namespace {

struct FmtOptions {
  std::vector<std::string> files;
  bool check = false;
  bool inPlace = false;
};

struct Formatted {
  std::string file;
  std::string text;
  bool isChanged = false;
};

Result<Formatted> formatFile(const std::string& file) {
  MLAC_TRY(source, readSpecFile(file));
  DiagnosticList diagnostics;
  const ParsedSpec spec = parseSpec(source, diagnostics);
  if (diagnostics.hasErrors())
    return Error{ErrorCode::InvalidSpec, renderDiagnostics(source, diagnostics)};
  std::string text = formatSpec(spec);
  const bool isChanged = text != source.text();
  return Formatted{file, std::move(text), isChanged};
}

Status writeBack(Console& console, const std::vector<Formatted>& results) {
  std::vector<OutputFile> files;
  for (const Formatted& result : results)
    if (result.isChanged)
      files.push_back({result.file, result.text});
  MLAC_CHECK(writeOutputs(files));
  for (const OutputFile& file : files)
    console.note(fmt::format("formatted {}", file.path));
  return Unit{};
}

Status checkAll(const std::vector<Formatted>& results) {
  std::string unformatted;
  for (const Formatted& result : results)
    if (result.isChanged)
      unformatted += "\n  " + result.file;
  if (unformatted.empty())
    return Unit{};
  return Error{ErrorCode::InvalidInput,
               "not formatted; `mlac fmt -i` rewrites them:" + unformatted};
}

void printJson(Console& console, const std::vector<Formatted>& results) {
  Json list = Json::array();
  for (const Formatted& result : results)
    list.push_back({{"file", result.file}, {"changed", result.isChanged}, {"text", result.text}});
  console.printJson({{"files", list}});
}

Status checkOptions(const FmtOptions& options) {
  if (options.inPlace)
    for (const std::string& file : options.files)
      if (file == "-")
        return Error{ErrorCode::InvalidInput,
                     "-i cannot rewrite standard input; leave -i out, or name a file"};
  return Unit{};
}

Status formatAll(Console& console, const FmtOptions& options) {
  MLAC_CHECK(checkOptions(options));
  std::vector<Formatted> results;
  for (const std::string& file : options.files) {
    MLAC_TRY(result, formatFile(file));
    results.push_back(std::move(result));
  }
  if (console.json)
    printJson(console, results);
  if (options.check)
    return checkAll(results);
  if (options.inPlace)
    return writeBack(console, results);
  if (!console.json)
    for (const Formatted& result : results)
      console.print(result.text);
  return Unit{};
}

} // namespace

Action declareFmt(CLI::App& app, Console& console) {
  const auto options = std::make_shared<FmtOptions>();
  app.add_option("FILE", options->files, "Spec files; - reads standard input")->required();
  CLI::Option* const check =
      app.add_flag("--check", options->check, "Write nothing; exit 1 where a file would change");
  app.add_flag("-i,--in-place", options->inPlace, "Rewrite the files")->excludes(check);
  addJsonOption(app, console);
  return [options, &console] { return formatAll(console, *options); };
}

} // namespace mlac
