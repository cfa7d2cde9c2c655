#include "tools/bench/BenchRequest.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

namespace mlac {
namespace {

constexpr int kMostCount = 1 << 20;
constexpr int kMostContext = 1 << 24;
constexpr int kMostIterations = 100000;

Error inputError(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

Status checkFile(std::string_view option, const std::string& path) {
  std::error_code ignored;
  if (path.empty() || std::filesystem::is_regular_file(path, ignored))
    return Unit{};
  return inputError(fmt::format("{} {}: there is no such file", option, path));
}

Status checkComparison(const BenchRequest& request) {
  if (!request.compare) {
    const bool idle = request.peers.empty() && request.library.empty() && request.script.empty();
    return idle ? Status(Unit{})
                : inputError("--peers, --lib and --script say how to compare; add --compare");
  }
  if (request.peers.empty())
    return inputError("--compare needs --peers DIR, the folder of the peers' adapters");
  std::error_code ignored;
  if (!std::filesystem::is_directory(request.peers, ignored))
    return inputError(fmt::format(
        "--peers {}: there is no such folder; name the one that holds the peers' adapters",
        request.peers));
  MLAC_CHECK(checkFile("--lib", request.library));
  return checkFile("--script", request.script);
}

void addComparisonOptions(CLI::App& app, BenchRequest& request) {
  app.add_flag("--compare", request.compare, "Time peers written in Python too, in turn");
  app.add_option("--peers", request.peers, "Folder of the peers' adapters")->type_name("DIR");
  app.add_option("--lib", request.library, "libmlac.so for --compare; without it one is looked for")
      ->type_name("FILE");
  app.add_option("--script", request.script, "compare.py; without it one is looked for")
      ->type_name("FILE");
}

} // namespace

void addBenchOptions(CLI::App& app, BenchRequest& request) {
  app.add_option("--batch", request.batchText, "Requests, one case for each number")
      ->capture_default_str()
      ->type_name("N,N,...");
  app.add_option("--context", request.context, "Keys of every request")
      ->check(CLI::Range(1, kMostContext))
      ->capture_default_str();
  app.add_option("--queries", request.queries, "Query tokens a request; without it the fewest")
      ->check(CLI::Range(1, kMostCount));
  app.add_option("--seed", request.seed, "Seed of all inputs")->capture_default_str();
  app.add_option("--iterations", request.iterations, "Timed replays")
      ->check(CLI::Range(1, kMostIterations))
      ->capture_default_str();
  addComparisonOptions(app, request);
  app.add_flag("--csv", request.csv, "Print comma-separated values instead of text");
  app.add_option("--plot", request.plot, "Write an SVG: time against batch, and a roofline")
      ->type_name("FILE.svg");
}

Result<std::vector<int>> parseCounts(std::string_view option, std::string_view text) {
  std::vector<int> counts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    int count = 0;
    const auto [stop, error] = std::from_chars(word.begin(), word.end(), count);
    if (error != std::errc() || stop != word.end() || count < 1 || count > kMostCount)
      return inputError(fmt::format("{} {}: '{}' is no whole number from 1 to {}; give such "
                                    "numbers with commas between, as in 1,4,16",
                                    option,
                                    text,
                                    word,
                                    kMostCount));
    if (std::find(counts.begin(), counts.end(), count) == counts.end())
      counts.push_back(count);
    at = end + 1;
  }
  return counts;
}

Status settleRequest(BenchRequest& request) {
  MLAC_TRY(batches, parseCounts("--batch", request.batchText));
  request.batches = batches;
  return checkComparison(request);
}

} // namespace mlac
