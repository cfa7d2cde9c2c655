// FuzzSpec: libFuzzer entry for the language's front end. Run: FuzzSpec -max_total_time=20
// tests/fuzz/corpus/spec
#include "tests/fuzz/SpecProperties.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const auto broken = mlac::test::brokenSpecProperty(text);
  if (broken) {
    std::fprintf(stderr, "%s\n", broken->c_str());
    std::abort();
  }
  return 0;
}
