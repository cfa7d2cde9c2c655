#include "tools/init/ModelConfig.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace mlac {
namespace {

std::string fixture(const std::string& name) {
  return MLAC_SOURCE_DIR "/tests/data/models/" + name + ".json";
}

ModelConfig readFixture(const std::string& name) {
  const auto config = readModelConfig(fixture(name));
  if (!config) {
    ADD_FAILURE() << config.error().message;
    return {};
  }
  return *config;
}

/// A small MLA config with `keys` in front, so that a key given again there is the one that is
/// changed.
std::string configWith(const std::string& keys) {
  return "{" + keys + "}";
}

constexpr const char* kRest = R"("kv_lora_rank": 512, "qk_nope_head_dim": 128, )"
                              R"("qk_rope_head_dim": 64, "num_attention_heads": 16)";

Error failureOf(const std::string& json) {
  const auto config = parseModelConfig(SourceText("config.json", json));
  if (config) {
    ADD_FAILURE() << "was accepted: " << json.substr(0, 200);
    return {};
  }
  return config.error();
}

void expectFailure(const std::string& json, const std::string& part) {
  const Error error = failureOf(json);
  EXPECT_EQ(error.code, ErrorCode::InvalidInput);
  EXPECT_NE(error.message.find(part), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("config.json"), std::string::npos) << error.message;
}

double scaleOf(const std::string& extraKeys) {
  const auto config =
      parseModelConfig(SourceText("config.json", configWith(kRest + (", " + extraKeys))));
  if (!config) {
    ADD_FAILURE() << config.error().message;
    return 0;
  }
  return config->scale;
}

TEST(ModelConfig, ReadsGlm5) {
  const ModelConfig config = readFixture("glm_5");
  EXPECT_EQ(config.modelType, "glm_moe_dsa");
  EXPECT_EQ(config.heads, 64);
  EXPECT_EQ(config.latent, 512);
  EXPECT_EQ(config.nope, 192);
  EXPECT_EQ(config.rope, 64);
  EXPECT_EQ(config.indexTopk, 2048);
  EXPECT_DOUBLE_EQ(config.scale, 0.0625);
}

TEST(ModelConfig, AppliesYarnToDeepSeekAndKimi) {
  EXPECT_NEAR(readFixture("deepseek_v3_2").scale, 0.135234, 5e-7);
  EXPECT_NEAR(readFixture("kimi_k2").scale, 0.130861, 5e-7);
  EXPECT_EQ(readFixture("kimi_k2").indexTopk, 0);
}

TEST(ModelConfig, LeavesTheScaleAloneWithoutYarnsMscaleAllDim) {
  const double plain = 1.0 / std::sqrt(192.0);
  EXPECT_DOUBLE_EQ(scaleOf(R"("rope_scaling": null)"), plain);
  EXPECT_DOUBLE_EQ(scaleOf(R"("rope_scaling": {"type": "yarn", "factor": 40})"), plain);
  EXPECT_DOUBLE_EQ(scaleOf(R"("rope_scaling": {"type": "linear", "factor": 4})"), plain);
  EXPECT_DOUBLE_EQ(scaleOf(R"("rope_scaling": {"type": "yarn", "factor": 1, "mscale_all_dim": 1})"),
                   plain);
}

TEST(ModelConfig, RefusesScalingItCannotDerive) {
  const auto with = [](const std::string& scaling) {
    return configWith(kRest + (R"(, "rope_scaling": )" + scaling));
  };
  expectFailure(with(R"({"type": "spiral", "factor": 2})"), "rope type `spiral` is unknown");
  expectFailure(with(R"({"type": "yarn", "mscale_all_dim": 1})"), "yarn lacks its `factor`");
  expectFailure(with(R"({"type": "yarn", "factor": "40", "mscale_all_dim": 1})"),
                "`factor` is a string; it must be a number");
  expectFailure(with("[]"), "`rope_scaling` is an array; it must be an object");
}

TEST(ModelConfig, ReadsAModelThatNestsItsLanguagePart) {
  const auto config = parseModelConfig(SourceText(
      "config.json", std::string(R"({"model_type": "vision", "text_config": {)") + kRest + "}}"));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->heads, 16);
}

TEST(ModelConfig, ReadsAModelWithoutRope) {
  const auto config = parseModelConfig(
      SourceText("config.json",
                 R"({"kv_lora_rank": 512, "qk_nope_head_dim": 256, "qk_rope_head_dim": 0,)"
                 R"( "num_attention_heads": 64})"));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->rope, 0);
  EXPECT_DOUBLE_EQ(config->scale, 0.0625);
}

TEST(ModelConfig, RefusesAModelThatIsNotMlaAndSaysWhatWasFound) {
  const auto config = readModelConfig(fixture("llama_like"));
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ErrorCode::InvalidInput);
  for (const char* part : {"no Multi-head Latent Attention",
                           "no `kv_lora_rank`",
                           "model_type `llama`",
                           "num_key_value_heads 8"})
    EXPECT_NE(config.error().message.find(part), std::string::npos) << config.error().message;
  expectFailure("{}", "found no key of a model's attention");
  expectFailure(R"({"kv_lora_rank": null})", "no `kv_lora_rank`");
}

TEST(ModelConfig, NamesEveryMissingKeyAtOnce) {
  expectFailure(R"({"kv_lora_rank": 512, "num_attention_heads": 8})",
                "needs `qk_nope_head_dim`, `qk_rope_head_dim`, and the file lacks them");
  expectFailure(R"({"kv_lora_rank": 512, "qk_nope_head_dim": 1, "qk_rope_head_dim": 64})",
                "needs `num_attention_heads`, and the file lacks it");
}

TEST(ModelConfig, NamesTheKeyOfAWrongType) {
  const std::string rest =
      R"("qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "num_attention_heads": 16)";
  const auto latent = [&](const std::string& value) {
    return configWith(R"("kv_lora_rank": )" + value + ", " + rest);
  };
  for (const char* value : {"-1", "0", "512.5", "3000000000", "18446744073709551615"})
    expectFailure(latent(value), "`kv_lora_rank` is " + std::string(value).substr(0, 5));
  expectFailure(latent("\"512\""), "`kv_lora_rank` is a string; it must be a whole number");
  expectFailure(latent("[512]"), "`kv_lora_rank` is an array");
  expectFailure(latent("{}"), "`kv_lora_rank` is an object");
  expectFailure(latent("true"), "`kv_lora_rank` is a boolean");
  expectFailure(configWith(kRest + std::string(R"(, "model_type": 7)")),
                "`model_type` is 7; it must be a string");
  expectFailure(configWith(kRest + std::string(R"(, "index_topk": "2048")")),
                "`index_topk` is a string");
}

TEST(ModelConfig, RefusesAHeadWithoutDimensions) {
  expectFailure(R"({"kv_lora_rank": 512, "qk_nope_head_dim": 0, "qk_rope_head_dim": 0,)"
                R"( "num_attention_heads": 64})",
                "a head needs dimensions");
}

TEST(ModelConfig, GivesThePlaceWhereJsonBreaksOff) {
  expectFailure("{\n  \"kv_lora_rank\": 512,\n  \"qk_no",
                "config.json:3:9: error: this is not JSON");
  expectFailure("", "config.json:1:1: error: this is not JSON");
  expectFailure("{\n  kv_lora_rank: 512\n}", "config.json:2:3: error: this is not JSON");
  expectFailure("{\"a\": \"\xFF\"}",
                "config.json:1:8: error: this is not JSON: byte 7 is not UTF-8");
  expectFailure("{\"a\": 1e999}", "this is not JSON");
}

TEST(ModelConfig, RefusesJsonOfAnotherShape) {
  expectFailure("[1]", "holds a JSON array; a config.json is an object");
  expectFailure("512", "holds a JSON number");
}

TEST(ModelConfig, SurvivesNoiseAndDeepNesting) {
  EXPECT_LT(failureOf(std::string(1 << 20, '[')).message.size(), 1000u);
  EXPECT_LT(failureOf(std::string(1 << 19, '[') + std::string(1 << 19, ']')).message.size(), 1000u);
  EXPECT_LT(failureOf(std::string(1 << 20, 'x')).message.size(), 1000u);
  EXPECT_LT(failureOf("{\"" + std::string(1 << 20, 'k') + "\": 1,}").message.size(), 1000u);
}

TEST(ModelConfig, NamesAFileThatCannotBeRead) {
  const auto missing = readModelConfig("no/such/config.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::IoFailed);
  EXPECT_NE(missing.error().message.find("no/such/config.json"), std::string::npos);
}

TEST(ModelConfig, RefusesAFileOver16Megabytes) {
  const auto path = std::filesystem::path(testing::TempDir()) / "mlac_large_config.json";
  {
    std::unique_ptr<FILE, int (*)(FILE*)> made(std::fopen(path.c_str(), "wb"), &std::fclose);
  }
  std::filesystem::resize_file(path, kConfigLimitBytes + 1);
  const auto config = readModelConfig(path.string());
  std::filesystem::remove(path);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(config.error().message.find("at most 16777216 bytes"), std::string::npos)
      << config.error().message;
}

} // namespace
} // namespace mlac
