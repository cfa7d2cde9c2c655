// PeerProcess: bench/compare.py started, and what it printed.
#pragma once

#include "common/Result.h"

#include <string>

namespace mlac {

struct BenchRequest;

/// The files a comparison takes.
struct PeerFiles {
  std::string python;  ///< a name is looked up on PATH
  std::string script;  ///< compare.py
  std::string library; ///< libmlac.so
};

/// Those that `request` names, else MLAC_PYTHON and MLAC_LIBRARY, else python3, and what lies
/// beside this program or where it was built. MissingDependency names what was not found, where it
/// was looked for, and the option that names it.
Result<PeerFiles> findPeerFiles(const BenchRequest& request);

struct PeerOutput {
  int status = 0; ///< exit code; 128 + the signal where one ended it
  std::string lines;
};

/// Runs the script on a request in JSON. Its stderr is this process's. MissingDependency where
/// Python cannot be started.
Result<PeerOutput> runPeers(const PeerFiles& files, const std::string& request);

} // namespace mlac
