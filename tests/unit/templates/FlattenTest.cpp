#include "templates/Flatten.h"

#include "templates/Embedded.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

int countOf(const std::string& text, const std::string& word) {
  int count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
    ++count;
  return count;
}

TEST(Flatten, EachTemplateComesOnceAndBeforeItsUsers) {
  const std::string flat =
      flatten("#include \"mlac/tile/ring.cuh\"\n#include \"mlac/ptx/warp.cuh\"\nint end;\n");
  EXPECT_EQ(countOf(flat, "struct Ring {"), 1);
  EXPECT_EQ(countOf(flat, "inline constexpr u32 kFullWarp"), 1);
  EXPECT_LT(flat.find("kFullWarp"), flat.find("struct Ring {"));
  EXPECT_TRUE(flat.ends_with("int end;\n"));
}

TEST(Flatten, LeavesNoIncludeAndNoPragma) {
  std::string all;
  for (const TemplateFile& file : templateFiles())
    all += "#include \"" + std::string(file.name) + "\"\n";
  const std::string flat = flatten(all);
  EXPECT_EQ(countOf(flat, "#include"), 0);
  EXPECT_EQ(countOf(flat, "#pragma once"), 0);
}

TEST(Flatten, TheDigestIsThatOfWhatIsEmbedded) {
  EXPECT_EQ(templateDigest().size(), 32U);
  EXPECT_EQ(templateDigest(), templateDigest());
}

} // namespace
} // namespace mlac
