// Models described by the metadata of a GGUF file.
#include "tests/unit/init/GgufBytes.h"
#include "tools/init/GgufConfig.h"
#include "tools/init/ModelSpec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace mlac {
namespace {

Result<ModelConfig> configOf(const std::string& bytes) {
  std::istringstream stream(bytes);
  auto header = GgufHeader::read(stream, "model.gguf");
  if (!header)
    return header.error();
  return configFromGguf(*header, "model.gguf");
}

void expectFailure(const std::string& bytes, const std::string& part) {
  const auto config = configOf(bytes);
  ASSERT_FALSE(config) << "was accepted, not: " << part;
  EXPECT_EQ(config.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(config.error().message.find(part), std::string::npos) << config.error().message;
  EXPECT_NE(config.error().message.find("model.gguf"), std::string::npos) << config.error().message;
}

/// A small deepseek2 file without what the caller adds.
GgufBytes deepseekFile() {
  GgufBytes file;
  file.text("general.architecture", "deepseek2")
      .u32("deepseek2.attention.kv_lora_rank", 512)
      .u32("deepseek2.rope.dimension_count", 64);
  return file;
}

TEST(Gguf, AGlmFileHasTheModelsDimensions) {
  const auto config = configOf(glmFile().bytes());
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->modelType, "glm-dsa");
  EXPECT_EQ(config->heads, 64);
  EXPECT_EQ(config->latent, 512);
  EXPECT_EQ(config->nope, 192);
  EXPECT_EQ(config->rope, 64);
  EXPECT_EQ(config->indexTopk, 2048);
  EXPECT_DOUBLE_EQ(config->scale, 1.0 / 16);
}

TEST(Gguf, YarnScalesAsTheSameModelsConfigJsonDoes) {
  const auto config = configOf(deepseekFile()
                                   .u32("deepseek2.attention.head_count", 128)
                                   .u32("deepseek2.attention.key_length", 576)
                                   .u32("deepseek2.attention.key_length_mla", 192)
                                   .text("deepseek2.rope.scaling.type", "yarn")
                                   .f32("deepseek2.rope.scaling.factor", 40)
                                   .f32("deepseek2.rope.scaling.yarn_log_multiplier", 0.1F)
                                   .bytes());
  const auto json = readModelConfig(MLAC_SOURCE_DIR "/tests/data/models/deepseek_v3_2.json");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_TRUE(json) << json.error().message;
  EXPECT_NEAR(config->scale, json->scale, 1e-7);
  EXPECT_EQ(config->scaleRule, json->scaleRule);
  EXPECT_EQ(config->nope, json->nope);
  EXPECT_EQ(config->indexTopk, 0) << "no indexer: dense";
}

TEST(Gguf, AnOlderFileKeepsTheHeadsWidthInKeyLength) {
  const auto config = configOf(deepseekFile()
                                   .u32("deepseek2.attention.head_count", 16)
                                   .u32("deepseek2.attention.key_length", 192)
                                   .bytes());
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->nope, 128);
  EXPECT_DOUBLE_EQ(config->scale, 1 / std::sqrt(192.0));
}

TEST(Gguf, HeadsOfEveryLayerCountWhereTheyAgree) {
  const auto with = [](const std::vector<std::int32_t>& heads) {
    return deepseekFile()
        .i32s("deepseek2.attention.head_count", heads)
        .u32("deepseek2.attention.key_length_mla", 192)
        .bytes();
  };
  const auto config = configOf(with({16, 16, 16}));
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->heads, 16);
  expectFailure(with({16, 0, 16}), "`deepseek2.attention.head_count` differs from layer to layer");
  expectFailure(with({}), "or is empty");
  expectFailure(with({-3}), "is -3; it must lie between 1 and 2147483647");
}

TEST(Gguf, OtherArchitecturesAreNamed) {
  expectFailure(GgufBytes().text("general.architecture", "llama").bytes(),
                "`general.architecture` is `llama`");
  expectFailure(GgufBytes().text("general.name", "x").bytes(), "`general.architecture` is missing");
  expectFailure(GgufBytes().u32("general.architecture", 3).bytes(), "deepseek2 and glm-dsa");
}

TEST(Gguf, MissingAndWrongKeysAreNamed) {
  expectFailure(deepseekFile().bytes(), "`deepseek2.attention.head_count` is missing");
  expectFailure(deepseekFile().text("deepseek2.attention.head_count", "many").bytes(),
                "`deepseek2.attention.head_count` is no whole number");
  expectFailure(deepseekFile().f32("deepseek2.attention.head_count", 16).bytes(),
                "is no whole number");
  expectFailure(deepseekFile()
                    .u32("deepseek2.attention.head_count", 16)
                    .u32("deepseek2.attention.key_length", 32)
                    .bytes(),
                "is 32, less than the 64 dims with rope");
  GgufBytes scaled = deepseekFile();
  scaled.u32("deepseek2.attention.head_count", 16)
      .u32("deepseek2.attention.key_length", 192)
      .text("deepseek2.rope.scaling.type", "yarn")
      .f32("deepseek2.rope.scaling.yarn_log_multiplier", 0.1F);
  expectFailure(scaled.bytes(), "`deepseek2.rope.scaling.factor` must be a number of at least 1");
}

TEST(Gguf, AFileCutOffAnywhereIsRefused) {
  const std::string whole = glmFile().bytes();
  for (std::size_t length = 0; length < whole.size(); ++length)
    expectFailure(whole.substr(0, length), "byte");
}

TEST(Gguf, NoChangedByteDoesHarm) {
  const std::string whole = glmFile().bytes();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (const char change : {'\x01', '\x80', '\xff'}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const auto config = configOf(changed);
      if (!config) {
        EXPECT_FALSE(config.error().message.empty());
        continue;
      }
      EXPECT_GE(config->heads, 1);
      EXPECT_GE(config->latent, 1);
      EXPECT_TRUE(std::isfinite(config->scale) && config->scale > 0) << "byte " << at;
    }
}

TEST(Gguf, SizesThatNoFileHasAreRefusedAtOnce) {
  constexpr std::uint64_t kHuge = std::uint64_t{1} << 62;
  expectFailure(glmFile().bytes(kHuge), "entries; at most 65536 are read");
  expectFailure(GgufBytes().entry("key", GgufType::Text).raw(kHuge).bytes(),
                "but the file has only 0 more");
  for (const GgufType type : {GgufType::U8, GgufType::U64, GgufType::F64, GgufType::Text}) {
    const std::string array =
        GgufBytes().entry("key", GgufType::Array).raw(type).raw(kHuge).raw(kHuge).bytes();
    expectFailure(array, "an array of 4611686018427387904");
    expectFailure(array, "entry `key`");
  }
}

TEST(Gguf, WhatTheFormatDoesNotHaveIsRefused) {
  expectFailure(GgufBytes().bytes(0, 1), "GGUF version 1; versions 2 and 3 are read");
  expectFailure(GgufBytes().bytes(0, 0x03000000), "big-endian");
  expectFailure(GgufBytes().entry("key", static_cast<GgufType>(13)).bytes(), "type 13 is unknown");
  expectFailure(
      GgufBytes().entry("key", GgufType::Array).raw(GgufType::Array).raw(std::uint64_t{1}).bytes(),
      "an array of arrays");
}

TEST(Gguf, LongTextsAndArraysArePassedOver) {
  GgufBytes file;
  file.text("tokenizer.chat_template", std::string(10000, 'x'))
      .i32s("tokenizer.ggml.token_type", std::vector<std::int32_t>(5000, 1))
      .u32("last", 7);
  std::istringstream stream(file.bytes());
  const auto header = GgufHeader::read(stream, "model.gguf");
  ASSERT_TRUE(header) << header.error().message;
  EXPECT_EQ(header->find("tokenizer.chat_template"), nullptr);
  EXPECT_EQ(header->find("tokenizer.ggml.token_type"), nullptr);
  EXPECT_EQ(header->number("last"), 7);
}

TEST(Gguf, TheSpecSaysWhereItsNumbersComeFrom) {
  const std::string path = testing::TempDir() + "/model.gguf";
  std::ofstream(path, std::ios::binary) << glmFile().bytes() << std::string(1 << 16, '\0');
  const auto config = readModelConfig(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(config) << config.error().message;
  const auto spec = specForModel(*config, 8);
  ASSERT_TRUE(spec) << spec.error().message;
  for (const char* part : {"heads    8",
                           "# attention.kv_lora_rank",
                           "# rope.dimension_count",
                           "topk 2048 logical",
                           "# attention.indexer.top_k"})
    EXPECT_NE(spec->find(part), std::string::npos) << part << " in\n" << *spec;
}

} // namespace
} // namespace mlac
