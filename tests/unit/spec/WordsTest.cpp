#include "compiler/spec/Words.h"

#include "compiler/spec/Names.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

TEST(Words, StandInTheOrderOfTheirEnum) {
  for (const WordInfo& info : allWords()) {
    EXPECT_EQ(&infoOf(info.word), &info);
    EXPECT_EQ(findWord(info.spelling), info.word);
    EXPECT_TRUE(info.example.starts_with(info.spelling));
  }
}

TEST(NearestWord, FindsSlipsOfTheFingers) {
  EXPECT_EQ(nearestWord("head"), Word::Heads);
  EXPECT_EQ(nearestWord("haeds"), Word::Heads);
  EXPECT_EQ(nearestWord("latnet"), Word::Latent);
  EXPECT_EQ(nearestWord("iterates"), Word::Iterate);
  EXPECT_EQ(nearestWord("querys"), Word::Queries);
  EXPECT_EQ(nearestWord("ouput"), Word::Output);
}

TEST(NearestWord, DoesNotGuessWildly) {
  EXPECT_EQ(nearestWord("x"), std::nullopt);
  EXPECT_EQ(nearestWord("blockTable"), std::nullopt);
  EXPECT_EQ(nearestWord(std::string(1'000'000, 'q')), std::nullopt);
}

TEST(Names, RefusesKeywordsReservedFormsAndLongNames) {
  EXPECT_EQ(whyNameIsRefused("glm5_decode"), std::nullopt);
  EXPECT_EQ(whyNameIsRefused("_x"), std::nullopt);
  EXPECT_EQ(whyNameIsRefused(std::string(64, 'a')), std::nullopt);
  EXPECT_TRUE(whyNameIsRefused(std::string(65, 'a'))->starts_with("has 65 characters"));
  for (const char* keyword : {"alignas", "class", "co_await", "reinterpret_cast", "xor_eq"})
    EXPECT_TRUE(whyNameIsRefused(keyword)->starts_with("is a C++ keyword")) << keyword;
  EXPECT_TRUE(whyNameIsRefused("mlacDecode")->starts_with("begins with `mlac`"));
  for (const char* reserved : {"__x", "a__b", "_X"})
    EXPECT_TRUE(whyNameIsRefused(reserved)->starts_with("has a form that C++ reserves"));
}

} // namespace
} // namespace mlac
