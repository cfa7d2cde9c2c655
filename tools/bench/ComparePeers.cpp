#include "tools/bench/ComparePeers.h"

#include "runtime/Family.h"
#include "runtime/FileIo.h"
#include "runtime/bundle/Bundle.h"
#include "tools/bench/BenchRequest.h"
#include "tools/bench/PeerProcess.h"
#include "tools/bench/PeerRows.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <utility>

namespace mlac {
namespace {

constexpr int kExitLacking = 2; // of compare.py, as of every tool

/// A bundle for the script to load, removed at the end. Sources alone: what is in it was compiled a
/// moment ago, and lies in the cache.
class TemporaryBundle {
public:
  static Result<TemporaryBundle> write(const Family& family) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
    if (error)
      return Error{ErrorCode::IoFailed, "no folder for temporary files: " + error.message()};
    TemporaryBundle made(temporaryPathFor((folder / "mlac-bench").string()));
    const std::array<BundledFamily, 1> families = {BundledFamily{kernelFamilyOf(family), {}}};
    MLAC_CHECK(writeBundle(made.path, families));
    return made;
  }

  TemporaryBundle(TemporaryBundle&& other) noexcept : path(std::exchange(other.path, {})) {}

  TemporaryBundle& operator=(TemporaryBundle&&) = delete;

  ~TemporaryBundle() {
    std::error_code ignored;
    if (!path.empty())
      std::filesystem::remove_all(path, ignored);
  }

  const std::string& folder() const { return path; }

private:
  explicit TemporaryBundle(std::string path) : path(std::move(path)) {}

  std::string path;
};

std::string requestJson(const BenchRequest& request,
                        const BenchReport& report,
                        const std::string& library,
                        const std::string& bundle) {
  return nlohmann::json{{"lib", library},
                        {"bundle", bundle},
                        {"family", report.attention},
                        {"peers", request.peers},
                        {"batch", request.batches},
                        {"context", request.context},
                        {"queries", report.queries},
                        {"seed", request.seed},
                        {"iterations", request.iterations}}
      .dump();
}

Result<PeerOutcome>
runScript(const BenchSubject& subject, const BenchRequest& request, const BenchReport& report) {
  MLAC_TRY(files, findPeerFiles(request));
  std::optional<TemporaryBundle> temporary;
  if (subject.bundle.empty()) {
    MLAC_TRY(written, TemporaryBundle::write(subject.family));
    temporary.emplace(std::move(written));
  }
  const std::string& bundle = temporary ? temporary->folder() : subject.bundle;
  MLAC_TRY(output, runPeers(files, requestJson(request, report, files.library, bundle)));
  if (output.status == kExitLacking)
    return Error{ErrorCode::MissingDependency,
                 fmt::format("{} lacks something (see above); install PyTorch for it, or name "
                             "another Python with MLAC_PYTHON",
                             files.python)};
  MLAC_TRY(outcome, readPeerLines(output.lines));
  if (!outcome.finished)
    outcome.notes.push_back(
        fmt::format("{} ended with code {} before it was done", files.script, output.status));
  return std::move(outcome);
}

} // namespace

void comparePeers(const BenchSubject& subject,
                  const BenchRequest& request,
                  const BenchTalk& warn,
                  BenchReport& report) {
  const auto outcome = runScript(subject, request, report);
  if (!outcome) {
    warn("peers are not compared: " + outcome.error().message);
    report.notes.push_back("peers are not compared: " + outcome.error().message);
    return;
  }
  mergePeers(*outcome, report);
}

} // namespace mlac
