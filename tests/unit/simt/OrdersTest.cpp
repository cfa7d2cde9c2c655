// The fixed order and the random ones: a seed is one order, and seeds differ.
#include "tests/unit/simt/TrialBench.h"

#include <set>

namespace mlac::simt {
namespace {

// Each thread draws a ticket, so that `out` holds the order in which they came.
constexpr Trial kTickets = {.body = R"(
  for (u32 i = 0; i < 4; ++i)
    out[i * 64 + thread] = addRelaxed(out + 1000, 1);
)"};

TEST(Orders, OneSeedIsOneOrder) {
  TrialBench bench;
  for (const std::uint64_t seed : {0, 1, 7}) {
    const Outcome one = bench.run(kTickets, false, seed);
    const Outcome other = bench.run(kTickets, false, seed);
    ASSERT_FALSE(one.finding);
    EXPECT_EQ(one.out, other.out) << seed;
    EXPECT_EQ(one.counters, other.counters) << seed;
  }
}

TEST(Orders, SeedsDiffer) {
  TrialBench bench;
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 0; seed <= kRandomOrders; ++seed)
    orders.insert(bench.run(kTickets, false, seed).out);
  EXPECT_EQ(orders.size(), 1U + kRandomOrders);
}

TEST(Orders, TheFixedOneRunsThreadsByNumber) {
  TrialBench bench;
  const Outcome done = bench.run(kTickets, false);
  for (std::uint32_t thread = 0; thread < 64; ++thread)
    EXPECT_EQ(done.out[thread], thread * 4);
}

TEST(Orders, OneSeedIsOneFinding) {
  // Which pair of the many that race is met first depends on the order.
  constexpr Trial kTrial = {.body = R"(
  for (u32 i = 0; i < 3; ++i)
    out[(thread * 7 + i) % 32] = i;
)"};
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed <= kRandomOrders; ++seed) {
    const auto finding = TrialBench().run(kTrial, true, seed).finding;
    ASSERT_TRUE(finding);
    const auto same = TrialBench().run(kTrial, true, seed).finding;
    ASSERT_TRUE(same);
    EXPECT_EQ(describe(*finding), describe(*same));
    texts.insert(finding->places[0].who);
  }
  EXPECT_GT(texts.size(), 3U);
}

} // namespace
} // namespace mlac::simt
