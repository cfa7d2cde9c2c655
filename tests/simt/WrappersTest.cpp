// The wrappers of templates/mlac/ptx mean on the CPU what they mean on a GPU: each probe's words
// under SIMT against those a GPU wrote.
#include "runtime/FileIo.h"
#include "simt/Simt.h"
#include "templates/Embedded.h"
#include "templates/Flatten.h"
#include "tests/simt/wrappers/Compare.h"
#include "tests/simt/wrappers/Record.h"
#include "tests/simt/wrappers/Run.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <regex>
#include <set>

namespace mlac::probes {
namespace {

constexpr std::size_t kMaxProbeWords = 4096;
constexpr std::size_t kMaxDataBytes = 400'000;
constexpr int kOrders = 3; ///< random ones, beside the fixed one

std::string recordPath(const Probe& probe) {
  return fmt::format("{}/{}.txt", MLAC_TEST_DATA, probe.name);
}

std::set<std::string> wrapperNames() {
  const std::regex definition(R"(__device__ __forceinline__\s+[A-Za-z_0-9]+\s+([A-Za-z_0-9]+)\()");
  std::set<std::string> names;
  for (const TemplateFile& file : templateFiles()) {
    if (!file.name.starts_with("mlac/ptx/"))
      continue;
    const std::string text(file.text);
    for (std::sregex_iterator at(text.begin(), text.end(), definition), end; at != end; ++at)
      names.insert((*at)[1]);
  }
  return names;
}

bool isCalled(const std::string& name) {
  const std::regex call(fmt::format(R"(\b{}(<[^>]*>)?\()", name));
  const auto probes = allProbes();
  return std::any_of(probes.begin(), probes.end(), [&](const Probe& probe) {
    return std::regex_search(probe.source, call);
  });
}

TEST(WrapperProbes, EveryWrapperHasAProbe) {
  const std::set<std::string> names = wrapperNames();
  EXPECT_TRUE(names.contains("copyBulk"));
  EXPECT_TRUE(names.contains("waitForCopies"));
  for (const std::string& name : names)
    EXPECT_TRUE(isCalled(name)) << name << " of mlac/ptx has no probe in tests/simt/wrappers";
}

TEST(WrapperProbes, AreNamedOnceAndSmall) {
  std::set<std::string> names;
  std::size_t dataBytes = 0;
  for (const Probe& probe : allProbes()) {
    EXPECT_TRUE(names.insert(probe.name).second) << probe.name;
    EXPECT_LE(probe.outWords, kMaxProbeWords) << probe.name;
    dataBytes +=
        textOf({probe.name, kRecordedSeed, std::string(32, '0'), "a GPU", Words(probe.outWords)})
            .size();
  }
  EXPECT_LE(dataBytes, kMaxDataBytes);
}

class WrapperOnSimt : public testing::TestWithParam<const Probe*> {
protected:
  static void SetUpTestSuite() {
    auto installed = simt::Machine::install({});
    ASSERT_TRUE(installed) << installed.error().message;
    machine = std::move(*installed);
    auto opened = Device::open(0);
    ASSERT_TRUE(opened) << opened.error().message;
    device = std::move(*opened);
  }

  static void TearDownTestSuite() {
    device.reset(); // releases its context while there is a driver
    machine.reset();
  }

  const Probe& probe() const { return *GetParam(); }

  /// Empty after a failure, which is reported.
  Words run(const std::string& image, std::uint64_t order) {
    machine->setSeed(order);
    const auto words = runProbe(*device, probe(), image, inputOf(probe(), kRecordedSeed));
    const auto findings = machine->takeFindings(); // a failed launch carries its finding's text
    if (!words) {
      ADD_FAILURE() << words.error().message;
      return {};
    }
    for (const simt::Finding& finding : findings)
      ADD_FAILURE() << simt::describe(finding);
    return *words;
  }

  /// Null after a failure, which is reported.
  std::optional<std::string> image() {
    auto compiled = simt::compileForHost({flatten(probe().source), probe().entry, "sm_90"});
    if (compiled)
      return std::move(*compiled);
    ADD_FAILURE() << compiled.error().message;
    return std::nullopt;
  }

  static inline std::unique_ptr<simt::Machine> machine;
  static inline std::optional<Device> device;
};

TEST_P(WrapperOnSimt, AgreesWithTheGpu) {
  const auto text = readFile(recordPath(probe()));
  ASSERT_TRUE(text) << text.error().message << "\nrecord it on a GPU: mlac-record-wrappers "
                    << MLAC_TEST_DATA;
  const auto record = recordFrom(*text);
  ASSERT_TRUE(record) << recordPath(probe()) << ": " << record.error().message;
  const Words input = inputOf(probe(), record->seed);
  ASSERT_EQ(record->probe, probe().name);
  ASSERT_EQ(record->input, digestOf(input)) << "the probe's input has changed; record it again";
  ASSERT_EQ(record->words.size(), probe().outWords) << "the probe has changed; record it again";
  const auto compiled = image();
  ASSERT_TRUE(compiled);
  const Words words = run(*compiled, 0);
  ASSERT_EQ(words.size(), probe().outWords);
  const Comparison comparison = compare(probe(), input, record->words, words);
  EXPECT_EQ(comparison.wrong, 0U) << comparison.first;
  if (probe().rule != Rule::BitEqual)
    fmt::print("{}: worst error {:.3f} of what is allowed\n", probe().name, comparison.worst);
}

TEST_P(WrapperOnSimt, WritesTheSameInEveryOrder) {
  const auto compiled = image();
  ASSERT_TRUE(compiled);
  const Words fixed = run(*compiled, 0);
  ASSERT_EQ(fixed.size(), probe().outWords);
  for (std::uint64_t order = 1; order <= kOrders; ++order)
    EXPECT_EQ(run(*compiled, order), fixed) << "order " << order;
}

std::vector<const Probe*> probePointers() {
  std::vector<const Probe*> pointers;
  for (const Probe& probe : allProbes())
    pointers.push_back(&probe);
  return pointers;
}

INSTANTIATE_TEST_SUITE_P(Probe,
                         WrapperOnSimt,
                         testing::ValuesIn(probePointers()),
                         [](const auto& info) { return info.param->name; });

} // namespace
} // namespace mlac::probes
