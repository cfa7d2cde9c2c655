#include "common/SourceText.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace mlac {
namespace {

TEST(SourceText, CountsLinesAndColumnsFromOne) {
  const SourceText source("a.mlac", "ab\ncd\n");
  EXPECT_EQ(source.placeOf(0), (Place{1, 1}));
  EXPECT_EQ(source.placeOf(1), (Place{1, 2}));
  EXPECT_EQ(source.placeOf(2), (Place{1, 3}));
  EXPECT_EQ(source.placeOf(3), (Place{2, 1}));
  EXPECT_EQ(source.placeOf(6), (Place{3, 1}));
}

TEST(SourceText, CountsColumnsInCodePoints) {
  const SourceText source("a.mlac", "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80x");
  EXPECT_EQ(source.placeOf(2), (Place{1, 2}));
  EXPECT_EQ(source.placeOf(5), (Place{1, 3}));
  EXPECT_EQ(source.placeOf(9), (Place{1, 4}));
}

TEST(SourceText, PlacesTheInsideOfACodePointAtItsColumn) {
  const SourceText source("a.mlac", "a\xE2\x82\xAC");
  EXPECT_EQ(source.placeOf(2), (Place{1, 2}));
}

TEST(SourceText, CountsAByteThatIsNotUtf8AsOneColumn) {
  const SourceText source("a.mlac", "\xFF\xFE\x80x");
  EXPECT_EQ(source.placeOf(3), (Place{1, 4}));
}

TEST(SourceText, TakesAnOffsetPastTheEndAsTheEnd) {
  const SourceText source("a.mlac", "ab");
  EXPECT_EQ(source.placeOf(99), (Place{1, 3}));
  EXPECT_EQ(source.slice({1, 99}), "b");
  EXPECT_EQ(source.slice({99, 1}), "");
}

TEST(SourceText, GivesLinesWithoutTheirEnds) {
  const SourceText source("a.mlac", "one\r\n\ntwo");
  ASSERT_EQ(source.lineCount(), 3u);
  EXPECT_EQ(source.lineText(1), "one");
  EXPECT_EQ(source.lineText(2), "");
  EXPECT_EQ(source.lineText(3), "two");
}

TEST(Utf8, AcceptsEveryLengthAndRefusesWhatUnicodeRefuses) {
  EXPECT_EQ(firstInvalidUtf8("a\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80"), std::nullopt);
  EXPECT_EQ(firstInvalidUtf8("ab\xC0\x80"), 2u);            // overlong
  EXPECT_EQ(firstInvalidUtf8("\xE0\x9F\xBF"), 0u);          // overlong
  EXPECT_EQ(firstInvalidUtf8("\xED\xA0\x80"), 0u);          // surrogate
  EXPECT_EQ(firstInvalidUtf8("\xF4\x90\x80\x80"), 0u);      // past U+10FFFF
  EXPECT_EQ(firstInvalidUtf8("a\xE2\x82"), 1u);             // cut short
  EXPECT_EQ(firstInvalidUtf8("\xE2\x82\xAC\x80"), 3u);      // continuation alone
  EXPECT_EQ(firstInvalidUtf8("\xF0\x9F\x98\x80\xF0x"), 4u); // lead alone
}

class ReadSource : public testing::Test {
protected:
  void SetUp() override {
    folder = std::filesystem::path(testing::TempDir()) / "mlac_read_source";
    std::filesystem::create_directories(folder);
  }

  void TearDown() override { std::filesystem::remove_all(folder); }

  std::string write(const std::string& text) {
    const std::string path = (folder / "text.mlac").string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path folder;
};

TEST_F(ReadSource, ReadsAWholeFileUpToTheLimit) {
  const std::string text(200'000, 'x');
  const auto source = readSource(write(text), text.size());
  ASSERT_TRUE(source) << source.error().message;
  EXPECT_EQ(source->text(), text);
}

TEST_F(ReadSource, RefusesAFileOverTheLimit) {
  const auto source = readSource(write("12345"), 4);
  ASSERT_FALSE(source);
  EXPECT_EQ(source.error().code, ErrorCode::InvalidInput);
  EXPECT_NE(source.error().message.find("at most 4 bytes"), std::string::npos);
}

TEST_F(ReadSource, NamesAFileThatIsMissingAndAFolder) {
  const auto missing = readSource((folder / "none").string(), 10);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::IoFailed);
  EXPECT_NE(missing.error().message.find("none"), std::string::npos);
  const auto directory = readSource(folder.string(), 10);
  ASSERT_FALSE(directory);
  EXPECT_EQ(directory.error().code, ErrorCode::IoFailed);
}

} // namespace
} // namespace mlac
