// Which bytes of a cache a packer touches, and where it reads its input.
#include "verify/PackTokens.h"

#include "tests/unit/verify/TestRecords.h"
#include "verify/HalfTypes.h"
#include "verify/Random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

namespace mlac::verify {
namespace {

constexpr std::byte kUntouched{0x5a};
constexpr int kPage = 4;
constexpr int kSlots = 3 * kPage;

/// bf16 rows, wider than they need be.
std::vector<std::byte> rowsOf(int count, int stride, std::uint64_t seed) {
  Random random(seed, 1);
  std::vector<std::byte> rows(2 * count * stride);
  for (int i = 0; i < count * stride; ++i)
    storeElement(ElementType::BF16, random.normal(), rows.data() + 2 * i);
  return rows;
}

struct Cache {
  explicit Cache(const Record& record, std::int64_t tokenGap = 0) : codec(record) {
    pages.page = kPage;
    pages.tokenStrideBytes = codec.layout().tokenBytes + tokenGap;
    pages.pageStrideBytes = codec.layout().pageBytes(kPage, pages.tokenStrideBytes);
    bytes.assign(3 * pages.pageStrideBytes, kUntouched);
  }

  void pack(const PackRows& latent, const PackRows& rope, const std::vector<std::int64_t>& slots) {
    packTokens(codec, {latent, rope, slots}, {}, {bytes.data(), pages, kSlots});
  }

  /// The slot's bytes, its share of the tail behind them.
  std::vector<std::byte> slot(std::int64_t number) const {
    const auto token = bytes.begin() + pages.tokenAt(number);
    const auto tail = bytes.begin() + pages.tailAt(number, codec.layout().tailBytes);
    std::vector<std::byte> all(token, token + codec.layout().tokenBytes);
    all.insert(all.end(), tail, tail + codec.layout().tailBytes);
    return all;
  }

  int touched() const {
    return static_cast<int>(
        std::count_if(bytes.begin(), bytes.end(), [](std::byte b) { return b != kUntouched; }));
  }

  RecordCodec codec;
  CachePages pages;
  std::vector<std::byte> bytes;
};

TEST(PackTokens, SplitAndConcatenatedInputGiveTheSameBytes) {
  constexpr int kTokens = 3;
  const std::vector<std::byte> joined = rowsOf(kTokens, 576, 1);
  std::vector<std::byte> latent(kTokens * 512 * 2);
  std::vector<std::byte> rope(kTokens * 80 * 2); // rows with a gap
  for (int t = 0; t < kTokens; ++t) {
    std::memcpy(latent.data() + t * 1024, joined.data() + t * 1152, 1024);
    std::memcpy(rope.data() + t * 160, joined.data() + t * 1152 + 1024, 128);
  }
  Cache whole(fp8DsMla());
  Cache split(fp8DsMla());
  const std::vector<std::int64_t> slots = {5, 0, 11};
  whole.pack({ElementType::BF16, joined.data(), 576},
             {ElementType::BF16, joined.data() + 1024, 576},
             slots);
  split.pack({ElementType::BF16, latent.data(), 512}, {ElementType::BF16, rope.data(), 80}, slots);
  EXPECT_EQ(whole.bytes, split.bytes);
  EXPECT_NE(whole.slot(5), whole.slot(0));
}

// vllm#47527: a slot of -1 is skipped, and rows past the slot mapping are not read.
TEST(PackTokens, SkipsSlotsThatAreNoneAndReadsNoFurtherThanTheMapping) {
  const std::vector<std::byte> latent = rowsOf(3, 512, 2);
  const std::vector<std::byte> rope = rowsOf(3, 64, 3);
  Cache all(fp8DsMla());
  Cache some(fp8DsMla());
  const PackRows latentRows{ElementType::BF16, latent.data(), 512};
  const PackRows ropeRows{ElementType::BF16, rope.data(), 64};
  all.pack(latentRows, ropeRows, {2, 7, 9});
  some.pack(latentRows, ropeRows, {-1, 7});
  EXPECT_EQ(some.slot(7), all.slot(7));
  EXPECT_EQ(some.slot(9), std::vector<std::byte>(656, kUntouched));
  EXPECT_LE(some.touched(), 656);
  some.pack(latentRows, ropeRows, {kSlots, std::int64_t{1} << 40});
  EXPECT_LE(some.touched(), 656);
}

TEST(PackTokens, TailsLieBehindThePagesTokens) {
  const std::vector<std::byte> latent = rowsOf(1, 448, 4);
  const std::vector<std::byte> rope = rowsOf(1, 64, 5);
  Cache cache(dsv4());
  EXPECT_EQ(cache.pages.pageStrideBytes, 5 * 576) << "4 * 584 rounded up";
  cache.pack({ElementType::BF16, latent.data(), 448}, {ElementType::BF16, rope.data(), 64}, {6});
  const std::int64_t page = cache.pages.pageStrideBytes;
  const auto isTouched = [&](std::int64_t at) { return cache.bytes[at] != kUntouched; };
  EXPECT_TRUE(isTouched(page + 4 * 576 + 2 * 8));
  EXPECT_FALSE(isTouched(page + 4 * 576 + 2 * 8 - 1));
  EXPECT_FALSE(isTouched(page + 4 * 576 + 2 * 8 + 7)) << "padding";
  EXPECT_FALSE(isTouched(page + 4 * 576 + 3 * 8));
  EXPECT_FALSE(isTouched(page + 2 * 576 - 1));
  EXPECT_FALSE(isTouched(page + 3 * 576));
}

TEST(PackTokens, ARecordWithoutRopeReadsNone) {
  const std::vector<std::byte> latent = rowsOf(1, 512, 6);
  Cache cache(recordOf({dataField(FieldKind::Latent, FieldType::E4M3, 512),
                        scaleField(FieldType::F32, 128, FieldKind::Latent)}),
              12);
  cache.pack({ElementType::BF16, latent.data(), 512}, {}, {1});
  EXPECT_NE(cache.slot(1), std::vector<std::byte>(528, kUntouched));
}

} // namespace
} // namespace mlac::verify
