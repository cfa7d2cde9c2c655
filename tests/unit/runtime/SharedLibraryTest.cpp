// libmlac.so as others get it: what it exports, what it needs, and that it answers without a GPU.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <dlfcn.h>
#include <memory>
#include <string>

namespace {

std::string outputOf(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get()))
    text += static_cast<char>(c);
  return text;
}

TEST(SharedLibrary, ExportsOnlyItsOwnNames) {
  const std::string names =
      outputOf("nm -D --defined-only --format=just-symbols " MLAC_TEST_LIBRARY);
  int exported = 0;
  std::size_t begin = 0;
  for (std::size_t end = names.find('\n'); end != std::string::npos;
       begin = end + 1, end = names.find('\n', begin)) {
    const std::string name = names.substr(begin, end - begin);
    const bool versionNode = name.starts_with("MLAC_");
    EXPECT_TRUE(name.starts_with("mlac_") || versionNode) << name;
    exported += versionNode ? 0 : 1;
  }
  EXPECT_EQ(exported, 20) << names;
}

TEST(SharedLibrary, NeedsNeitherCudaNorLlvmNorACppLibrary) {
  const std::string needed = outputOf("readelf -d " MLAC_TEST_LIBRARY " | grep NEEDED");
  ASSERT_NE(needed.find("libc.so"), std::string::npos) << needed;
  for (const char* library : {"cuda", "nvrtc", "LLVM", "MLIR", "stdc++", "libgcc"})
    EXPECT_EQ(needed.find(library), std::string::npos) << needed;
}

TEST(SharedLibrary, AnswersWithoutAGpu) {
  void* library = dlopen(MLAC_TEST_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  using OpenBundle = std::int32_t (*)(const char*, void**);
  using Text = const char* (*)();
  const auto open = reinterpret_cast<OpenBundle>(dlsym(library, "mlac_bundle_open"));
  const auto lastError = reinterpret_cast<Text>(dlsym(library, "mlac_last_error"));
  ASSERT_TRUE(open != nullptr && lastError != nullptr);
  void* bundle = nullptr;
  EXPECT_EQ(open("/no/such/bundle", &bundle), 9);
  EXPECT_NE(std::string(lastError()).find("/no/such/bundle is no bundle"), std::string::npos);
  dlclose(library);
}

} // namespace
