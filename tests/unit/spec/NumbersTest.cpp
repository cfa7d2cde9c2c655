#include "compiler/spec/Numbers.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace mlac {
namespace {

using Whole = std::variant<std::int64_t, NumberFault>;
using Real = std::variant<float, NumberFault>;

TEST(ParseWhole, ReadsDecimalAndHexadecimal) {
  EXPECT_EQ(parseWhole("0"), Whole(0));
  EXPECT_EQ(parseWhole("00065"), Whole(65));
  EXPECT_EQ(parseWhole("0x40"), Whole(64));
  EXPECT_EQ(parseWhole("0XfF"), Whole(255));
  EXPECT_EQ(parseWhole("9223372036854775807"), Whole(std::numeric_limits<std::int64_t>::max()));
}

TEST(ParseWhole, TellsOverflowFromWhatIsNoWholeNumber) {
  EXPECT_EQ(parseWhole("9223372036854775808"), Whole(NumberFault::TooLarge));
  EXPECT_EQ(parseWhole("0x8000000000000000"), Whole(NumberFault::TooLarge));
  EXPECT_EQ(parseWhole(std::string(100'000, '9')), Whole(NumberFault::TooLarge));
  for (const char* literal : {"", "0x", "0x-1", "64k", "1.5", "1e2", "0xfg", "1_000"})
    EXPECT_EQ(parseWhole(literal), Whole(NumberFault::NotANumber)) << literal;
}

TEST(ParseReal, ReadsWhatTheLanguageWrites) {
  EXPECT_EQ(parseReal("8"), Real(8.0f));
  EXPECT_EQ(parseReal("0.0625"), Real(0.0625f));
  EXPECT_EQ(parseReal("1e-3"), Real(1e-3f));
  EXPECT_EQ(parseReal("2.5E+2"), Real(250.0f));
  EXPECT_EQ(parseReal("0x10"), Real(16.0f));
  EXPECT_EQ(parseReal("0.000e999999999999"), Real(0.0f));
  EXPECT_EQ(parseReal("3.4028234e38"), Real(std::numeric_limits<float>::max()));
}

TEST(ParseReal, RoundsOnceToF32) {
  // Halfway between two floats plus a little that a double cannot hold: rounding through double
  // would go to even.
  EXPECT_EQ(parseReal("1.00000005960464477539062500001"), Real(1.00000011920928955078125f));
}

TEST(ParseReal, TellsTooLargeFromTooSmall) {
  EXPECT_EQ(parseReal("1e39"), Real(NumberFault::TooLarge));
  EXPECT_EQ(parseReal("1e99999999999999999999"), Real(NumberFault::TooLarge));
  EXPECT_EQ(parseReal(std::string(400, '9')), Real(NumberFault::TooLarge));
  EXPECT_EQ(parseReal("1e-60"), Real(NumberFault::TooSmall));
  EXPECT_EQ(parseReal("1e-99999999999999999999"), Real(NumberFault::TooSmall));
  EXPECT_EQ(parseReal("0." + std::string(400, '0') + "1"), Real(NumberFault::TooSmall));
}

TEST(ParseReal, RefusesWhatIsNoNumber) {
  for (const char* literal : {"", "1.5.2", "1e", "64k", "inf", "nan", "-1", "0x1.8"})
    EXPECT_EQ(parseReal(literal), Real(NumberFault::NotANumber)) << literal;
}

} // namespace
} // namespace mlac
