// GgufBytes: GGUF headers as tests need them, right ones and wrong ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

/// Types of values, by the numbers that a file holds.
enum class GgufType : std::uint32_t {
  U8 = 0,
  U32 = 4,
  I32 = 5,
  F32 = 6,
  Bool = 7,
  Text = 8,
  Array = 9,
  U64 = 10,
  F64 = 12
};

/// Collects entries; `bytes` is the file so far, without any tensor.
class GgufBytes {
public:
  GgufBytes& u32(std::string_view key, std::uint32_t value) {
    return entry(key, GgufType::U32).raw(value);
  }

  GgufBytes& f32(std::string_view key, float value) { return entry(key, GgufType::F32).raw(value); }

  GgufBytes& text(std::string_view key, std::string_view value) {
    return entry(key, GgufType::Text).sized(value);
  }

  GgufBytes& i32s(std::string_view key, const std::vector<std::int32_t>& values) {
    entry(key, GgufType::Array).raw(GgufType::I32).raw(std::uint64_t{values.size()});
    for (const std::int32_t value : values)
      raw(value);
    return *this;
  }

  GgufBytes& texts(std::string_view key, const std::vector<std::string>& values) {
    entry(key, GgufType::Array).raw(GgufType::Text).raw(std::uint64_t{values.size()});
    for (const std::string& value : values)
      sized(value);
    return *this;
  }

  /// A key and a type, whose value follows as raw bytes.
  GgufBytes& entry(std::string_view key, GgufType type) {
    ++entries;
    return sized(key).raw(type);
  }

  template <typename T>
  GgufBytes& raw(T value) {
    body.append(reinterpret_cast<const char*>(&value), sizeof value);
    return *this;
  }

  /// The whole file; `count` and `version` other than the true ones where a test wants that.
  std::string bytes(std::uint64_t count, std::uint32_t version = 3) const {
    GgufBytes head;
    head.body = "GGUF";
    head.raw(version).raw(std::uint64_t{0}).raw(count);
    return head.body + body;
  }

  std::string bytes() const { return bytes(entries); }

private:
  GgufBytes& sized(std::string_view value) {
    raw(std::uint64_t{value.size()});
    body += value;
    return *this;
  }

  std::string body;
  std::uint64_t entries = 0;
};

/// The metadata of a GLM-5 file, as llama.cpp's converter writes it, with a vocabulary in front.
inline GgufBytes glmFile() {
  GgufBytes file;
  file.text("general.architecture", "glm-dsa")
      .texts("tokenizer.ggml.tokens", {"a", "bc", ""})
      .u32("glm-dsa.attention.head_count", 64)
      .u32("glm-dsa.attention.head_count_kv", 1)
      .u32("glm-dsa.attention.key_length", 576)
      .u32("glm-dsa.attention.key_length_mla", 256)
      .u32("glm-dsa.attention.kv_lora_rank", 512)
      .u32("glm-dsa.rope.dimension_count", 64)
      .u32("glm-dsa.attention.indexer.top_k", 2048);
  return file;
}

} // namespace mlac
