// BenchCommand: `bench` as every program that has it runs it, once its subject is loaded.
#pragma once

#include "common/Result.h"
#include "tools/bench/BenchRun.h"

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace mlac {

struct BenchRequest;

/// Where a program's product and talk go.
struct BenchConsole {
  bool json = false;
  std::function<void(std::string_view)> print; ///< the product as text
  std::function<void(const nlohmann::ordered_json&)> printJson;
  std::function<void(std::string_view)> note; ///< a line of talk
  std::function<void(std::string_view)> warn;
};

/// A bundle's folder, and the attention in it where the text names one: "FOLDER" or "FOLDER:NAME".
struct BundleReference {
  std::string folder;
  std::string name; ///< empty: the bundle's only one
};

BundleReference splitBundleReference(const std::string& reference);

/// Times a subject for a settled request, prints the report and writes the plot. Returns the
/// report's verdict, or what kept it from being made.
Status
benchCommand(const BenchSubject& subject, const BenchRequest& request, const BenchConsole& console);

} // namespace mlac
