// The kernel cache: never wrong, never fatal, one compilation a key.
#include "TestFamily.h"
#include "common/Log.h"
#include "runtime/FileIo.h"
#include "runtime/cache/CompileService.h"
#include "runtime/cache/EntryFile.h"

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>
#include <vector>

namespace mlac::test {
namespace {

namespace fs = std::filesystem;

/// Hears what is logged while it lives.
class Listener {
public:
  Listener() {
    former = setLogSink([this](LogLevel level, std::string_view message) {
      if (level == LogLevel::Warning)
        warnings.emplace_back(message);
    });
  }

  ~Listener() { setLogSink(former); }

  std::vector<std::string> warnings;

private:
  LogSink former;
};

Nvrtc nvrtcOfBuild(const std::string& buildId) {
  Nvrtc nvrtc;
  nvrtc.major = 13;
  nvrtc.buildId = buildId;
  return nvrtc;
}

/// A compiler that echoes what it was given.
struct EchoCompiler {
  Result<CompileOutput> operator()(const CompileInput& input) const {
    ++*count;
    CompileOutput output;
    output.cubin = "cubin of " + std::string(input.source);
    output.log = "log";
    output.resources = {40, 0, 0, 0, 1024};
    return output;
  }

  std::shared_ptr<std::atomic<int>> count = std::make_shared<std::atomic<int>>(0);
};

CompileInput inputOf(std::string_view source, std::string_view target = "sm_90") {
  return {.source = source, .name = "k", .entry = "k", .target = target, .extraOptions = {}};
}

class CacheTest : public testing::Test {
protected:
  CompileService serviceFor(const Nvrtc* with) { return {folder / "cache", with, compiler}; }

  /// Asks a fresh service, as the next process would.
  CompileService::Outcome ask(const CompileInput& input) {
    CompileService service = serviceFor(&nvrtc);
    auto outcome = service.cubinFor("attention", input);
    EXPECT_TRUE(outcome) << outcome.error().message;
    return *outcome;
  }

  std::string entryPath() {
    return DiskCache(folder / "cache")
        .pathOf(makeKernelKey("attention", inputOf("source"), &nvrtc));
  }

  TemporaryFolder folder;
  Nvrtc nvrtc = nvrtcOfBuild("abc");
  EchoCompiler compiler;
};

TEST_F(CacheTest, CompilesThenAnswersFromMemoryThenFromDisk) {
  CompileService service = serviceFor(&nvrtc);
  const auto first = service.cubinFor("attention", inputOf("source"));
  const auto second = service.cubinFor("attention", inputOf("source"));
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->origin, "compiled");
  EXPECT_EQ(second->origin, "memory cache");
  const CompileService::Outcome third = ask(inputOf("source"));
  EXPECT_EQ(third.origin, "disk cache");
  EXPECT_EQ(third.output->cubin, "cubin of source");
  EXPECT_EQ(third.output->log, "log");
  EXPECT_EQ(third.output->resources, first->output->resources);
  EXPECT_EQ(*compiler.count, 1);
}

TEST_F(CacheTest, EverythingAKernelDependsOnIsInTheKey) {
  const CompileInput base = inputOf("source");
  const KernelKey key = makeKernelKey("attention", base, &nvrtc);
  EXPECT_EQ(key, makeKernelKey("attention", base, &nvrtc));
  CompileInput entry = base;
  entry.entry = "other";
  CompileInput options = base;
  options.extraOptions = {"-lineinfo"};
  const Nvrtc rebuilt = nvrtcOfBuild("abd");
  Nvrtc newer = nvrtc;
  newer.minor = 1;
  for (const KernelKey& other : {makeKernelKey("combine", base, &nvrtc),
                                 makeKernelKey("attention", inputOf("Source"), &nvrtc),
                                 makeKernelKey("attention", inputOf("source", "sm_120"), &nvrtc),
                                 makeKernelKey("attention", entry, &nvrtc),
                                 makeKernelKey("attention", options, &nvrtc),
                                 makeKernelKey("attention", base, &rebuilt),
                                 makeKernelKey("attention", base, &newer)})
    EXPECT_NE(key, other) << other.identity << other.toolchain;
}

TEST_F(CacheTest, NearbyTargetsNeverShareAnEntry) {
  ask(inputOf("source", "sm_120"));
  EXPECT_EQ(ask(inputOf("source", "sm_121")).origin, "compiled");
}

TEST_F(CacheTest, AnotherBuildOfNvrtcCompilesAnew) {
  ask(inputOf("source"));
  nvrtc = nvrtcOfBuild("rebuilt under the same version");
  EXPECT_EQ(ask(inputOf("source")).origin, "compiled");
}

TEST_F(CacheTest, WithoutNvrtcAnyBuildsEntryServes) {
  ask(inputOf("source"));
  CompileService service = serviceFor(nullptr);
  const auto outcome = service.cubinFor("attention", inputOf("source"));
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->origin, "disk cache");
  EXPECT_EQ(outcome->output->cubin, "cubin of source");
}

TEST_F(CacheTest, AFileUnderTheRightNameWithAnotherKeyIsAMiss) {
  ask(inputOf("source"));
  const std::string mine = entryPath();
  const std::string theirs =
      DiskCache(folder / "cache").pathOf(makeKernelKey("attention", inputOf("theirs"), &nvrtc));
  fs::copy_file(mine, theirs);
  const CompileService::Outcome outcome = ask(inputOf("theirs"));
  EXPECT_EQ(outcome.origin, "compiled");
  EXPECT_EQ(outcome.output->cubin, "cubin of theirs");
}

TEST_F(CacheTest, TruncatedAtEveryLengthIsRebuilt) {
  ask(inputOf("source"));
  const auto whole = readFile(entryPath());
  ASSERT_TRUE(whole);
  for (std::size_t length = 0; length < whole->size(); ++length)
    ASSERT_FALSE(decodeEntry(whole->substr(0, length))) << length;
  ASSERT_TRUE(decodeEntry(*whole));
  EXPECT_FALSE(decodeEntry(*whole + " "));
}

TEST_F(CacheTest, EveryFlippedBitIsNoticed) {
  ask(inputOf("source"));
  const auto whole = readFile(entryPath());
  ASSERT_TRUE(whole);
  for (std::size_t i = 0; i < whole->size() * 8; ++i) {
    std::string flipped = *whole;
    flipped[i / 8] = static_cast<char>(flipped[i / 8] ^ (1 << (i % 8)));
    ASSERT_FALSE(decodeEntry(flipped)) << "bit " << i;
  }
}

TEST_F(CacheTest, DamagedEntriesAreSetAsideRebuiltAndSaidOnce) {
  ask(inputOf("source"));
  ask(inputOf("second"));
  for (const fs::directory_entry& file : fs::directory_iterator(folder / "cache"))
    std::ofstream(file.path(), std::ios::trunc) << "half an ent";
  const Listener listener;
  CompileService service = serviceFor(&nvrtc);
  for (const char* source : {"source", "second"}) {
    const auto outcome = service.cubinFor("attention", inputOf(source));
    ASSERT_TRUE(outcome);
    EXPECT_EQ(outcome->origin, "compiled");
  }
  ASSERT_EQ(listener.warnings.size(), 1U);
  EXPECT_NE(listener.warnings[0].find(".corrupt"), std::string::npos) << listener.warnings[0];
  EXPECT_EQ(ask(inputOf("source")).origin, "disk cache");
  int setAside = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder / "cache"))
    setAside += file.path().extension() == ".corrupt" ? 1 : 0;
  EXPECT_EQ(setAside, 2);
}

TEST_F(CacheTest, AFolderThatCannotBeWrittenIsOneWarningAndMemoryOnly) {
  std::ofstream(folder / "cache") << "a file where the folder should be";
  const Listener listener;
  CompileService service = serviceFor(&nvrtc);
  for (const char* source : {"first", "second", "first"})
    EXPECT_TRUE(service.cubinFor("attention", inputOf(source)));
  EXPECT_EQ(*compiler.count, 2);
  ASSERT_EQ(listener.warnings.size(), 1U);
  EXPECT_NE(listener.warnings[0].find("memory only"), std::string::npos) << listener.warnings[0];
}

TEST_F(CacheTest, NoFolderMeansNoDiskAndNoWarning) {
  const Listener listener;
  CompileService service("", &nvrtc, compiler);
  EXPECT_TRUE(service.cubinFor("attention", inputOf("source")));
  EXPECT_TRUE(listener.warnings.empty());
}

TEST_F(CacheTest, NothingIsLeftBesideAnEntry) {
  ask(inputOf("source"));
  int files = 0;
  for (const fs::directory_entry& file : fs::directory_iterator(folder / "cache")) {
    EXPECT_EQ(file.path().extension(), ".kernel") << file.path();
    ++files;
  }
  EXPECT_EQ(files, 1);
}

TEST_F(CacheTest, ManyThreadsCompileAKeyOnce) {
  EchoCompiler echo;
  const auto slow = [echo](const CompileInput& input) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return echo(input);
  };
  CompileService service("", &nvrtc, slow);
  std::vector<std::thread> threads;
  std::atomic<int> right = 0;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      const auto outcome = service.cubinFor("attention", inputOf("source"));
      right += outcome && outcome->output->cubin == "cubin of source" ? 1 : 0;
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(right, 8);
  EXPECT_EQ(*echo.count, 1);
}

TEST_F(CacheTest, ManyProcessesWritingOneEntryLeaveAWholeOne) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      CompileService service = serviceFor(&nvrtc); // its own memory, as another process has
      EXPECT_TRUE(service.cubinFor("attention", inputOf("source")));
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(ask(inputOf("source")).origin, "disk cache");
}

TEST_F(CacheTest, AFailureIsNotRemembered) {
  int calls = 0;
  const auto failsOnce = [&](const CompileInput& input) -> Result<CompileOutput> {
    if (++calls == 1)
      return Error{ErrorCode::CompileFailed, "no"};
    return compiler(input);
  };
  CompileService service(folder / "cache", &nvrtc, failsOnce);
  expectError(service.cubinFor("attention", inputOf("source")), ErrorCode::CompileFailed, "no");
  EXPECT_TRUE(service.cubinFor("attention", inputOf("source")));
}

} // namespace
} // namespace mlac::test
