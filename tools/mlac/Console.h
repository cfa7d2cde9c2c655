// Console: stdout for what a command makes, stderr for what it says.
#pragma once

#include "common/Result.h"

#include <nlohmann/json_fwd.hpp>

#include <mutex>
#include <string>
#include <string_view>

namespace mlac {

/// JSON whose keys keep the order in which they are added.
using Json = nlohmann::ordered_json;

/// One for the process. With `json`, a command prints one JSON object and nothing else on stdout.
class Console {
public:
  bool json = false; ///< --json was given

  /// Writes a piece of the product.
  void print(std::string_view text);

  /// Writes the product as one indented object.
  void printJson(const Json& object);

  /// Says `message` on stderr.
  void note(std::string_view message);
  void warn(std::string_view message);

  /// Says what went wrong; with --json also as an object, unless one was printed before.
  void fail(const Error& error);

  /// IoFailed where stdout did not take everything.
  Status flush();

private:
  bool hasPrintedJson = false;
};

/// One line on stderr that counts steps; on a terminal only, and gone when done.
class Progress {
public:
  Progress(std::string_view what, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Reports one more step as done. Safe from any thread.
  void step(std::string_view name);

private:
  std::mutex mutex;
  std::string what;
  std::size_t total;
  std::size_t done = 0;
  bool isShown;
};

} // namespace mlac
