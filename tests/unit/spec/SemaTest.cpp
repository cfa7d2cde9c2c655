#include "tests/unit/spec/SpecTestSupport.h"

namespace mlac::test {
namespace {

TEST(Sema, TakesTheDocumentedDefaults) {
  const Variant variant = load(specWith());
  EXPECT_EQ(variant.name, "decode");
  EXPECT_EQ(variant.heads, 8);
  EXPECT_EQ(variant.latent, 512);
  EXPECT_EQ(variant.rope, 64);
  EXPECT_FALSE(variant.valueIsRecord);
  EXPECT_EQ(variant.query, ElementType::BF16);
  EXPECT_EQ(variant.cache, ElementType::BF16);
  EXPECT_EQ(variant.output, ElementType::BF16);
  EXPECT_EQ(variant.page, 64);
  EXPECT_EQ(variant.iterate, IterateKind::Dense);
  EXPECT_EQ(variant.topk, 0);
  EXPECT_EQ(variant.window, 0);
  EXPECT_EQ(variant.minQueries, 1);
  EXPECT_EQ(variant.maxQueries, 1);
  EXPECT_FALSE(variant.causal);
  EXPECT_EQ(variant.scale, 0.0625f);
  EXPECT_EQ(variant.lse, LseMode::None);
  EXPECT_FALSE(variant.emptyLsePositive);
  EXPECT_FALSE(variant.maxLogit);
}

TEST(Sema, ReadsEveryFormOfEveryWord) {
  EXPECT_TRUE(load(specWith({{"value", "value record"}})).valueIsRecord);
  EXPECT_EQ(load(specWith({{"q", "q f16"}})).query, ElementType::F16);
  EXPECT_EQ(load(specWith({{"cache", "cache f16 page 2304"}})).cache, ElementType::F16);
  EXPECT_EQ(load(specWith({{"cache", "cache f16 page 2304"}})).page, 2304);
  EXPECT_EQ(load(specWith({{"rope", "rope 0"}})).rope, 0);
  EXPECT_EQ(load(specWith({{"heads", "heads 0x10"}})).heads, 16);
  EXPECT_EQ(load(specWith({{"heads", "heads +10"}})).heads, 10);
}

TEST(Sema, ReadsEveryIteration) {
  const Variant logical = load(specWith({{"iterate", "iterate topk 65536 logical"}}));
  EXPECT_EQ(logical.iterate, IterateKind::TopkLogical);
  EXPECT_EQ(logical.topk, 65536);
  const Variant physical = load(specWith({{"iterate", "iterate topk 1 physical"}}));
  EXPECT_EQ(physical.iterate, IterateKind::TopkPhysical);
  EXPECT_EQ(physical.topk, 1);
  const Variant window = load(specWith({{"iterate", "iterate window 4096"}}));
  EXPECT_EQ(window.iterate, IterateKind::Window);
  EXPECT_EQ(window.window, 4096);
}

TEST(Sema, ReadsEveryFormOfQueries) {
  const auto queries = [](const char* line) { return load(specWith({{"queries", line}})); };
  const auto expect = [](const Variant& variant, int low, int high, bool causal) {
    EXPECT_EQ(variant.minQueries, low);
    EXPECT_EQ(variant.maxQueries, high);
    EXPECT_EQ(variant.causal, causal);
  };
  expect(queries("queries 4"), 4, 4, false);
  expect(queries("queries 1..4 causal"), 1, 4, true);
  expect(queries("queries 2 .. 2"), 2, 2, false);
  expect(queries("queries any"), 1, 0, false);
  expect(queries("queries any causal"), 1, 0, true);
}

TEST(Sema, ReadsEveryScale) {
  const auto scale = [](const char* line) { return load(specWith({{"scale", line}})).scale; };
  EXPECT_EQ(scale("scale runtime"), std::nullopt);
  EXPECT_EQ(scale("scale -1e-3"), -1e-3f);
  EXPECT_EQ(scale("scale 0"), 0.0f);
  EXPECT_EQ(scale("scale +2"), 2.0f);
}

TEST(Sema, ReadsOutputOptionsInAnyOrder) {
  const Variant variant = load(specWith({{"output", "output f32 max_logit empty +inf lse base2"}}));
  EXPECT_EQ(variant.output, ElementType::F32);
  EXPECT_EQ(variant.lse, LseMode::Base2);
  EXPECT_TRUE(variant.emptyLsePositive);
  EXPECT_TRUE(variant.maxLogit);
  EXPECT_FALSE(load(specWith({{"output", "output f16 lse natural empty -inf"}})).emptyLsePositive);
  EXPECT_EQ(load(specWith({{"output", "output bf16 lse none"}})).lse, LseMode::None);
}

TEST(Sema, AllowsElementTypesToDifferAndCausalWithWindow) {
  EXPECT_EQ(diagnose(specWith({{"q", "q f16"}})), "");
  EXPECT_EQ(diagnose(specWith({{"iterate", "iterate window 1"}, {"queries", "queries 2 causal"}})),
            "");
}

TEST(Sema, TakesWordsInAnyOrderOnOneLine) {
  const Variant variant = load("attention decode { scale 0.0625; iterate dense; rope 64; "
                               "cache bf16 page 64; heads 8; latent 512 }");
  EXPECT_EQ(variant, load(specWith()));
}

TEST(Sema, KeepsTheOrderOfAFilesAttentions) {
  const auto loaded = loadVariants(SourceText("t", specWith({}, "b") + specWith({}, "a")));
  ASSERT_TRUE(loaded) << loaded.error().message;
  ASSERT_EQ(loaded->size(), 2u);
  EXPECT_EQ((*loaded)[0].name, "b");
  EXPECT_EQ((*loaded)[1].name, "a");
}

std::vector<std::string> defaultsOf(const std::string& text) {
  std::vector<TakenDefault> defaults;
  const auto loaded = loadVariants(SourceText("t", text), &defaults);
  EXPECT_TRUE(loaded) << loaded.error().message;
  std::vector<std::string> settings;
  for (const TakenDefault& taken : defaults) {
    EXPECT_EQ(taken.attention, "decode");
    settings.push_back(taken.setting);
  }
  return settings;
}

TEST(Defaults, ListsEachThatWasTakenAsItCouldBeWritten) {
  EXPECT_EQ(
      defaultsOf(specWith()),
      (std::vector<std::string>{"value latent", "q bf16", "queries 1", "output bf16", "lse none"}));
  EXPECT_EQ(defaultsOf(specWith({{"output", "output bf16 lse natural"}, {"q", "q bf16"}})),
            (std::vector<std::string>{"value latent", "queries 1", "empty -inf"}));
  EXPECT_EQ(defaultsOf(specWith({{"output", "output bf16 lse none"},
                                 {"q", "q bf16"},
                                 {"value", "value latent"},
                                 {"queries", "queries 1"}})),
            std::vector<std::string>{});
}

TEST(Defaults, WrittenOutGiveTheSameVariant) {
  const Variant written = load(specWith({{"value", "value latent"},
                                         {"q", "q bf16"},
                                         {"queries", "queries 1"},
                                         {"output", "output bf16 lse none"}}));
  EXPECT_EQ(written, load(specWith()));
}

} // namespace
} // namespace mlac::test
