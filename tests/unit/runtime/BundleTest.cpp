// Bundles: what goes in comes out, and whatever was done to one in between is noticed.
#include "runtime/bundle/Bundle.h"

#include "FakeDriver.h"
#include "TestFamily.h"
#include "common/Digest.h"
#include "runtime/FileIo.h"
#include "runtime/bundle/BundleTable.h"
#include "runtime/bundle/FamilyJson.h"

#include <fstream>

namespace mlac::test {
namespace {

namespace fs = std::filesystem;

CompileOutput outputOf(const std::string& entry) {
  CompileOutput output;
  output.cubin = entry;
  output.log = "ptxas info: fine";
  output.resources = {200, 0, 0, 0, 1024};
  return output;
}

BundledFamily bundledOf(const std::string& name, const std::string& target) {
  Variant variant = logicalVariant();
  variant.name = name;
  BundledFamily bundled;
  bundled.family = familyOf(variant);
  bundled.family.target = target;
  for (const Kernel& kernel : bundled.family.kernels)
    bundled.cubins[kernel.entry] = outputOf(kernel.entry);
  return bundled;
}

class BundleTest : public testing::Test {
protected:
  void write(const std::vector<BundledFamily>& families) {
    const Status status = writeBundle(path, families);
    ASSERT_TRUE(status) << status.error().message;
  }

  /// Puts a changed table in place of the bundle's.
  void editTable(const std::string& from, const std::string& to) {
    auto text = readFile(path + "/bundle.json");
    ASSERT_TRUE(text);
    const std::size_t found = text->find(from);
    ASSERT_NE(found, std::string::npos) << *text;
    text->replace(found, from.size(), to);
    std::ofstream(path + "/bundle.json") << *text;
  }

  TemporaryFolder folder;
  std::string path = folder / "my.mlacb";
};

TEST_F(BundleTest, WhatGoesInComesOut) {
  write({bundledOf("a", "sm_90"), bundledOf("a", "sm_120"), bundledOf("b", "sm_90")});
  const auto families = readBundle(path);
  ASSERT_TRUE(families) << families.error().message;
  ASSERT_EQ(families->size(), 3U);
  EXPECT_EQ((*families)[0].family, bundledOf("a", "sm_90").family);
  EXPECT_EQ((*families)[1].family, bundledOf("a", "sm_120").family);
  const CompileOutput& output = (*families)[2].cubins.at("b_few");
  EXPECT_EQ(output.cubin, "b_few");
  EXPECT_EQ(output.log, "ptxas info: fine");
  EXPECT_EQ(output.resources, outputOf("b_few").resources);
  const auto bundle = Bundle::open(path);
  ASSERT_TRUE(bundle);
  EXPECT_EQ(bundle->names(), (std::vector<std::string>{"a", "b"}));
}

TEST_F(BundleTest, EveryFieldSurvivesJson) {
  KernelFamily family = familyOf(logicalVariant());
  Variant& variant = family.variant;
  variant.valueIsRecord = true;
  variant.query = ElementType::F16;
  variant.cache = ElementType::F16;
  variant.output = ElementType::F32;
  variant.window = 77;
  variant.maxQueries = 0;
  variant.scale.reset();
  variant.lse = LseMode::Base2;
  variant.emptyLsePositive = true;
  variant.maxLogit = true;
  for (Kernel& kernel : family.kernels)
    kernel.source.clear();
  const auto read = familyFromJson(familyToJson(family), "here");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, family);
  for (const IterateKind kind :
       {IterateKind::Dense, IterateKind::Window, IterateKind::TopkPhysical}) {
    family.variant.iterate = kind;
    EXPECT_EQ(familyFromJson(familyToJson(family), "here")->variant.iterate, kind);
  }
}

KernelFamily familyOverRecord() {
  KernelFamily family = familyOf(logicalVariant());
  for (Kernel& kernel : family.kernels)
    kernel.source.clear();
  Record record;
  record.name = "scaled";
  record.pageAlign = 576;
  record.fields = {
      {.kind = FieldKind::Latent, .type = FieldType::E4M3, .count = 512},
      {.kind = FieldKind::Rope, .type = FieldType::BF16, .count = 64},
      {.kind = FieldKind::Scale, .type = FieldType::E8M0, .count = 8, .group = 64, .inTail = true},
      {.kind = FieldKind::Pad, .count = 1, .inTail = true}};
  family.variant.cache = record;
  return family;
}

TEST_F(BundleTest, RecordsSurviveJson) {
  const KernelFamily family = familyOverRecord();
  const auto read = familyFromJson(familyToJson(family), "here");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, family);
}

TEST_F(BundleTest, ABadRecordIsRefusedWithThePlace) {
  const std::string good = familyToJson(familyOverRecord());
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return familyFromJson(text, "f.json");
  };
  expectError(replaced("\"e4m3\"", "\"e9m9\""),
              ErrorCode::InvalidInput,
              "f.json.variant.cache.fields[0].type: unknown word \"e9m9\"");
  expectError(replaced("\"count\": 512", "\"count\": -16"),
              ErrorCode::InvalidInput,
              "f.json.variant.cache: `latent` has -16 elements");
  expectError(replaced("\"count\": 8", "\"count\": 9"),
              ErrorCode::InvalidInput,
              "f.json.variant.cache: its counts contradict each other");
}

TEST_F(BundleTest, ABadFamilyFileIsRefusedWithThePlace) {
  const std::string good = familyToJson(familyOf(logicalVariant()));
  const auto replaced = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    return familyFromJson(text, "f.json");
  };
  expectError(replaced("\"heads\": 8", "\"heads\": \"8\""),
              ErrorCode::InvalidInput,
              "f.json.variant.heads");
  expectError(replaced("\"heads\": 8", "\"tails\": 8"), ErrorCode::InvalidInput, "heads");
  expectError(replaced("topk_logical", "topk_magical"),
              ErrorCode::InvalidInput,
              "unknown word \"topk_magical\"");
  expectError(replaced("\"role\": \"attention\"", "\"role\": 3"),
              ErrorCode::InvalidInput,
              "kernels[0].role");
  expectError(
      familyFromJson(good.substr(0, good.size() / 2), "f.json"), ErrorCode::InvalidInput, "f.json");
  expectError(familyFromJson("[]", "f.json"), ErrorCode::InvalidInput, "f.json");
  expectError(familyFromJson("{}", "f.json"), ErrorCode::InvalidInput, "f.json.target");
}

TEST_F(BundleTest, NothingIsLeftBesideABundleAndAFormerOneIsReplaced) {
  write({bundledOf("a", "sm_90")});
  write({bundledOf("b", "sm_90")});
  EXPECT_EQ(Bundle::open(path)->names(), std::vector<std::string>{"b"});
  const auto first = fs::directory_iterator(folder.path);
  EXPECT_EQ(std::distance(fs::begin(first), fs::end(first)), 1);
}

TEST_F(BundleTest, AFolderThatIsNoBundleIsNeverReplaced) {
  fs::create_directories(path);
  std::ofstream(path + "/thesis.txt") << "precious";
  const std::vector<BundledFamily> families = {bundledOf("a", "sm_90")};
  expectError(writeBundle(path, families), ErrorCode::InvalidInput, "is no bundle");
  EXPECT_TRUE(fs::exists(path + "/thesis.txt"));
}

TEST_F(BundleTest, AFailedWriteLeavesNothing) {
  BundledFamily bad = bundledOf("a", "sm_90");
  bad.family.kernels[1].entry = "../escape";
  const std::vector<BundledFamily> families = {bad};
  expectError(writeBundle(path, families), ErrorCode::InvalidInput, "'../escape'");
  EXPECT_TRUE(fs::is_empty(folder.path));
}

TEST_F(BundleTest, NamesThatLeadOutAreRefused) {
  for (const char* name : {"", ".", "..", ".hidden", "a/b", "/a", "a\\b", "a b", "\xc3\xa4"})
    EXPECT_FALSE(isPlainName(name)) << name;
  EXPECT_TRUE(isPlainName("glm5_decode-1.sm_90"));
  write({bundledOf("a", "sm_90")});
  editTable("\"name\": \"a\"", "\"name\": \"../a\"");
  expectError(Bundle::open(path), ErrorCode::InvalidInput, "'../a' is no name");
}

TEST_F(BundleTest, PathsThatLeadOutAreRefused) {
  write({bundledOf("a", "sm_90")});
  editTable("\"a/a_few.sm_90.cu\"", "\"a/../../etc/passwd\"");
  expectError(Bundle::open(path), ErrorCode::InvalidInput, "is no path a bundle may hold");
}

TEST_F(BundleTest, ANewerFormatIsRefusedWithBothNumbers) {
  write({bundledOf("a", "sm_90")});
  editTable("\"format\": 4", "\"format\": 5");
  expectError(Bundle::open(path), ErrorCode::InvalidInput, "format 5; this mlac reads format 4");
}

TEST_F(BundleTest, MissingAndBrokenTablesAreRefused) {
  expectError(Bundle::open(folder / "nothing"), ErrorCode::IoFailed, "is no bundle");
  write({bundledOf("a", "sm_90")});
  std::ofstream(path + "/bundle.json", std::ios::trunc) << "{\"format\": 1,";
  expectError(Bundle::open(path), ErrorCode::InvalidInput, "bundle.json");
}

TEST_F(BundleTest, EveryMissingOrChangedFileIsNoticed) {
  std::vector<std::string> files;
  write({bundledOf("a", "sm_90")});
  for (const fs::directory_entry& file : fs::recursive_directory_iterator(path))
    if (file.is_regular_file() && file.path().filename() != "bundle.json")
      files.push_back(file.path().string());
  EXPECT_EQ(files.size(), 1U + 4 * 3);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    write({bundledOf("a", "sm_90")});
    fs::remove(file);
    expectError(readBundle(path), ErrorCode::IoFailed, file);
    write({bundledOf("a", "sm_90")});
    std::fstream(file, std::ios::in | std::ios::out).put('#');
    expectError(readBundle(path), ErrorCode::CorruptData, file);
  }
}

TEST_F(BundleTest, TheNewestTargetThatRunsIsLoadedFromItsCubins) {
  FakeDriver driver;
  write({bundledOf("a", "sm_80"), bundledOf("a", "sm_90"), bundledOf("a", "sm_120")});
  const auto bundle = Bundle::open(path);
  const auto device = Device::current();
  ASSERT_TRUE(bundle && device);
  const auto family = bundle->family("", *device);
  ASSERT_TRUE(family) << family.error().message;
  EXPECT_EQ(family->target(), "sm_90");
  EXPECT_EQ(family->kernels()[0].origin, "bundle");
  EXPECT_EQ(family->kernels()[0].registers, 200);
  EXPECT_EQ(driver->loadedImages[0], "a_few");
}

TEST_F(BundleTest, WhatItDoesNotHaveIsSaid) {
  FakeDriver driver;
  write({bundledOf("a", "sm_120"), bundledOf("b", "sm_120")});
  const auto bundle = Bundle::open(path);
  const auto device = Device::current();
  ASSERT_TRUE(bundle && device);
  expectError(bundle->family("c", *device), ErrorCode::InvalidInput, "it has a, b");
  expectError(bundle->family("", *device), ErrorCode::InvalidInput, "name one");
  expectError(bundle->family("a", *device), ErrorCode::Unsupported, "has 'a' for sm_120");
}

} // namespace
} // namespace mlac::test
