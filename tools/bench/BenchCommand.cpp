#include "tools/bench/BenchCommand.h"

#include "runtime/FileIo.h"
#include "tools/bench/BenchRecords.h"
#include "tools/bench/BenchRequest.h"
#include "tools/bench/BenchTable.h"
#include "tools/bench/Plot.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace mlac {
namespace {

Status writePlot(const BenchReport& report, const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  if (!folder.empty())
    MLAC_CHECK(makeFolders(folder));
  return replaceFile(path, plotOf(report));
}

void printReport(const BenchReport& report, bool csv, const BenchConsole& console) {
  if (console.json)
    console.printJson(recordOf(report));
  else
    console.print(csv ? csvOf(report) : tableOf(report));
}

} // namespace

BundleReference splitBundleReference(const std::string& reference) {
  std::error_code ignored;
  const std::size_t colon = reference.rfind(':');
  if (colon == std::string::npos || std::filesystem::is_directory(reference, ignored))
    return {reference, ""};
  return {reference.substr(0, colon), reference.substr(colon + 1)};
}

Status benchCommand(const BenchSubject& subject,
                    const BenchRequest& request,
                    const BenchConsole& console) {
  MLAC_TRY(report, runBench(subject, request, console.warn));
  printReport(report, request.csv, console);
  if (!request.plot.empty()) {
    MLAC_CHECK(writePlot(report, request.plot));
    console.note("wrote " + request.plot);
  }
  return report.verdict();
}

} // namespace mlac
