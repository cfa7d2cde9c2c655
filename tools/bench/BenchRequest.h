// BenchRequest: what `bench` is asked for, and its options on a command line.
#pragma once

#include "common/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace mlac {

struct BenchRequest {
  std::string batchText = "1,4,16,64,128";
  std::vector<int> batches; ///< of batchText, once checked
  int context = 32768;      ///< keys of every request
  int queries = 0;          ///< query tokens a request; 0: the fewest the spec permits
  std::uint64_t seed = 1;
  int iterations = 20; ///< timed replays
  bool compare = false;
  std::string peers;   ///< folder of adapters, for compare
  std::string library; ///< libmlac, for compare; empty: looked for
  std::string script;  ///< compare.py; empty: looked for
  bool csv = false;
  std::string plot; ///< file to write; empty: none
};

/// Every option but the subject and --json. `request` outlives `app`.
void addBenchOptions(CLI::App& app, BenchRequest& request);

/// Whole numbers from 1 to 2^20 with commas between, in the order written. InvalidInput names
/// `option` and the word that is none.
Result<std::vector<int>> parseCounts(std::string_view option, std::string_view text);

/// Fills `batches`, and refuses options that contradict each other or name what is not there.
Status settleRequest(BenchRequest& request);

} // namespace mlac
