#include "tools/init/ModelSpec.h"

#include "compiler/spec/Load.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

ModelConfig glm5() {
  ModelConfig config;
  config.modelType = "glm_moe_dsa";
  config.heads = 64;
  config.latent = 512;
  config.nope = 192;
  config.rope = 64;
  config.indexTopk = 2048;
  config.scale = 0.0625;
  config.scaleRule = "(192 + 64)^-0.5";
  return config;
}

Variant variantOf(const ModelConfig& config, int devices) {
  const auto text = specForModel(config, devices);
  if (!text) {
    ADD_FAILURE() << text.error().message;
    return {};
  }
  const auto loaded = loadVariants(SourceText("spec", *text));
  if (!loaded || loaded->size() != 1) {
    ADD_FAILURE() << *text;
    return {};
  }
  return loaded->front();
}

TEST(ModelSpec, WritesGlm5ForEightDevices) {
  const auto text = specForModel(glm5(), 8);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_EQ(*text,
            "# Decode of glm_moe_dsa: 64 query heads over 8 devices.\n"
            "# For several query tokens a request write `queries 1..4 causal`.\n"
            "attention glm_moe_dsa {\n"
            "  heads    8                  # 64 / 8\n"
            "  latent   512                # kv_lora_rank\n"
            "  rope     64                 # qk_rope_head_dim\n"
            "  q        bf16\n"
            "  cache    bf16 page 64\n"
            "  iterate  topk 2048 logical  # index_topk\n"
            "  queries  1\n"
            "  scale    0.0625             # (192 + 64)^-0.5\n"
            "  output   bf16\n"
            "}\n");
}

TEST(ModelSpec, WritesEachFixtureForItsDevices) {
  struct Case {
    const char* model;
    int devices;
    int heads;
    int topk;
    float scale;
  };

  for (const Case& expected : {Case{"glm_5", 8, 8, 2048, 0.0625f},
                               Case{"deepseek_v3_2", 8, 16, 2048, 0.135234f},
                               Case{"kimi_k2", 8, 8, 0, 0.130861f},
                               Case{"glm_4_7_flash", 4, 5, 0, 0.0625f}}) {
    const auto config = readModelConfig(std::string(MLAC_SOURCE_DIR "/tests/data/models/") +
                                        expected.model + ".json");
    ASSERT_TRUE(config) << config.error().message;
    const Variant variant = variantOf(*config, expected.devices);
    EXPECT_EQ(variant.heads, expected.heads) << expected.model;
    EXPECT_EQ(variant.latent, 512) << expected.model;
    EXPECT_EQ(variant.rope, 64) << expected.model;
    EXPECT_EQ(variant.page, 64) << expected.model;
    EXPECT_EQ(variant.topk, expected.topk) << expected.model;
    EXPECT_EQ(variant.iterate, expected.topk == 0 ? IterateKind::Dense : IterateKind::TopkLogical)
        << expected.model;
    ASSERT_TRUE(variant.scale) << expected.model;
    EXPECT_NEAR(*variant.scale, expected.scale, 5e-7) << expected.model;
  }
}

TEST(ModelSpec, RefusesDevicesThatDoNotDivideTheHeads) {
  for (const int devices : {-1, 0, 3, 128}) {
    const auto text = specForModel(glm5(), devices);
    ASSERT_FALSE(text) << devices;
    EXPECT_EQ(text.error().code, ErrorCode::InvalidInput);
    EXPECT_NE(text.error().message.find("64 heads cannot be divided among"), std::string::npos);
  }
}

TEST(ModelSpec, RefusesADimensionTheLanguageRefuses) {
  ModelConfig config = glm5();
  config.latent = 500;
  const auto text = specForModel(config, 8);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(text.error().message.find("latent is `500`; it must be a multiple of 16"),
            std::string::npos)
      << text.error().message;
  EXPECT_NE(text.error().message.find("# kv_lora_rank"), std::string::npos);
}

TEST(ModelSpec, MakesANameOfAnyModelType) {
  const auto nameOf = [](const std::string& modelType) {
    ModelConfig config = glm5();
    config.modelType = modelType;
    return variantOf(config, 8).name;
  };
  EXPECT_EQ(nameOf("deepseek-v3.2"), "deepseek_v3_2");
  EXPECT_EQ(nameOf("4moe"), "model_4moe");
  EXPECT_EQ(nameOf("class"), "model_class");
  EXPECT_EQ(nameOf("mlac"), "model_mlac");
  EXPECT_EQ(nameOf("a--b"), "model_a_b");
  EXPECT_EQ(nameOf(""), "model_");
  EXPECT_EQ(nameOf("x\n} attention y {"), "model_x_attention_y_");
  EXPECT_EQ(nameOf(std::string(1000, 'x')), std::string(48, 'x'));
}

TEST(ModelSpec, FollowsTheModelsElementType) {
  ModelConfig config = glm5();
  config.elementType = ElementType::F16;
  const Variant variant = variantOf(config, 8);
  EXPECT_EQ(variant.query, ElementType::F16);
  EXPECT_EQ(variant.cache, ElementType::F16);
  EXPECT_EQ(variant.output, ElementType::F16);
}

} // namespace
} // namespace mlac
