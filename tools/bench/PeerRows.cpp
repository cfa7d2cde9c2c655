#include "tools/bench/PeerRows.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace mlac {
namespace {

using Json = nlohmann::json;

PeerRow rowFrom(const Json& object) {
  PeerRow read;
  read.batch = object.at("batch").get<int>();
  BenchRow& row = read.row;
  row.contestant = object.at("contestant").get<std::string>();
  row.isOurs = object.value("ours", false);
  row.config = object.value("config", "");
  row.problem = object.value("problem", "");
  row.isWrong = object.value("wrong", false);
  if (row.problem.empty())
    row.timing = Timing{object.at("median_us").get<double>(),
                        object.at("min_us").get<double>(),
                        object.at("max_us").get<double>()};
  return read;
}

/// "flashmla: flash_mla cannot be imported"
std::string noteFrom(const Json& object) {
  return fmt::format(
      "{}: {}", object.at("contestant").get<std::string>(), object.at("reason").get<std::string>());
}

void readLine(std::string_view line, PeerOutcome& outcome) {
  const Json object = Json::parse(line);
  const auto event = object.at("event").get<std::string>();
  if (event == "row")
    outcome.rows.push_back(rowFrom(object));
  else if (event == "skipped")
    outcome.notes.push_back(noteFrom(object));
  else if (event == "done")
    outcome.finished = true;
}

} // namespace

Result<PeerOutcome> readPeerLines(std::string_view text) {
  PeerOutcome outcome;
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty())
      continue;
    try {
      readLine(line, outcome);
    } catch (const Json::exception& error) {
      return Error{ErrorCode::CorruptData,
                   fmt::format("line {} of the peers' results: {}", number, error.what())};
    }
  }
  return outcome;
}

void mergePeers(const PeerOutcome& outcome, BenchReport& report) {
  report.notes.insert(report.notes.end(), outcome.notes.begin(), outcome.notes.end());
  for (const PeerRow& peer : outcome.rows) {
    const auto found = std::find_if(report.cases.begin(),
                                    report.cases.end(),
                                    [&](const BenchCase& one) { return one.batch == peer.batch; });
    if (found == report.cases.end()) {
      report.notes.push_back(
          fmt::format("{}: timed for b={}, which is no case", peer.row.contestant, peer.batch));
      continue;
    }
    found->rows.push_back(peer.row);
    if (peer.row.isOurs && peer.row.isWrong)
      report.errors.push_back(
          {ErrorCode::VerificationFailed,
           fmt::format("{}, b={}: {}", peer.row.contestant, peer.batch, peer.row.problem)});
  }
}

} // namespace mlac
