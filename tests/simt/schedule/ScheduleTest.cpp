// How the schedule kernel cuts batches: nothing is lost or done twice, and parts end together.
#include "tests/simt/schedule/Batches.h"
#include "tests/simt/schedule/CutLists.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <tuple>

namespace mlac::cuts {

/// For GoogleTest's messages.
static void PrintTo(const Batch& batch, std::ostream* out) {
  *out << batch.name;
}

namespace {

enum class Rows { Dense, Topk };

Variant variantOf(Rows rows) {
  Variant variant;
  variant.name = rows == Rows::Dense ? "cut_dense" : "cut_topk";
  variant.heads = 8;
  variant.latent = 64;
  variant.page = 16;
  variant.scale = 1.0F;
  if (rows == Rows::Topk) {
    variant.iterate = IterateKind::TopkPhysical;
    variant.topk = 4096;
  }
  return variant;
}

/// Keys of the longest row that is drawn.
std::int32_t longestOf(Rows rows) {
  return rows == Rows::Dense ? 100000 : variantOf(Rows::Topk).topk;
}

constexpr Division kDivisions[] = {
    {1, 1}, {3, 4}, {16, 1}, {132, 1}, {132, 13}, {132, 64}, {1056, 5}};

/// A batch, one way to divide it, and what became of it.
struct Divided {
  Division division;
  CutList list;
  CutList again; ///< cut a second time, in a random order of threads
};

std::vector<Divided> cutAllWays(Rows rows, const Batch& batch) {
  std::vector<Divided> all;
  const auto session = openVariant(variantOf(rows));
  EXPECT_TRUE(session) << session.error().message;
  if (!session)
    return all;
  for (const Division& division : kDivisions) {
    const auto list = cutBatch(*session, batch.lengths, division, 0);
    const auto again = cutBatch(*session, batch.lengths, division, 3);
    EXPECT_TRUE(list) << list.error().message;
    EXPECT_TRUE(again) << again.error().message;
    if (list && again)
      all.push_back({division, *list, *again});
  }
  return all;
}

using Param = std::tuple<Rows, Batch>;

/// Each batch is cut in all ways once; every test looks at the same lists.
class CutBatches : public testing::TestWithParam<Param> {
protected:
  void forEach(const std::function<void(const Divided&)>& look) {
    static std::map<std::pair<Rows, std::string>, std::vector<Divided>> made;
    const auto& [rows, batch] = GetParam();
    const std::pair key(rows, batch.name);
    if (!made.contains(key))
      made[key] = cutAllWays(rows, batch);
    ASSERT_EQ(made[key].size(), std::size(kDivisions));
    for (const Divided& divided : made[key]) {
      SCOPED_TRACE(fmt::format(
          "{} parts, {} tiles a piece", divided.division.parts, divided.division.pieceTiles));
      look(divided);
    }
  }

  const std::vector<std::int32_t>& lengths() const { return std::get<1>(GetParam()).lengths; }

  std::int32_t rowTiles(std::size_t token) const { return tilesOf(lengths()[token]); }

  /// What all rows cost, in tiles, at so many a piece.
  std::int64_t cost(std::int64_t pieceTiles) const {
    std::int64_t sum = 0;
    for (std::size_t token = 0; token < lengths().size(); ++token)
      sum += rowTiles(token) + pieceTiles;
    return sum;
  }

  /// What cuts go by: a piece counts for half of a part's tiles at most.
  std::int64_t leastPiece(const Division& division) const {
    const std::int64_t half = cost(0) / division.parts / 2;
    return std::clamp<std::int64_t>(half, 1, division.pieceTiles);
  }

  /// What a part costs, in tiles; never so little that a piece would not be worth it.
  std::int64_t costOfPart(const Division& division) const {
    const std::int64_t piece = leastPiece(division);
    return std::max((cost(piece) + division.parts - 1) / division.parts, 2 * piece);
  }
};

/// The pieces of each token, by their numbers.
std::vector<std::vector<Piece>> byToken(const CutList& list) {
  std::vector<std::vector<Piece>> tokens(list.cuts.size());
  for (const Piece& piece : list.pieces)
    if (piece.token >= 0 && piece.token < static_cast<std::int32_t>(tokens.size()))
      tokens[static_cast<std::size_t>(piece.token)].push_back(piece);
    else
      ADD_FAILURE() << "a piece of token " << piece.token;
  for (std::vector<Piece>& pieces : tokens)
    std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
      return a.split < b.split;
    });
  return tokens;
}

TEST_P(CutBatches, EveryTileOfARowLiesInExactlyOnePiece) {
  forEach([&](const Divided& divided) {
    const auto tokens = byToken(divided.list);
    for (std::size_t token = 0; token < tokens.size(); ++token) {
      std::int32_t next = 0;
      for (const Piece& piece : tokens[token]) {
        ASSERT_EQ(piece.firstTile, next) << "token " << token << ", piece " << piece.split;
        ASSERT_GE(piece.tiles, 0);
        next += piece.tiles;
      }
      ASSERT_EQ(next, rowTiles(token)) << "token " << token;
    }
  });
}

TEST_P(CutBatches, PiecesOfATokenAreNumberedAndAgreeOnItsCut) {
  forEach([&](const Divided& divided) {
    const auto tokens = byToken(divided.list);
    for (std::size_t token = 0; token < tokens.size(); ++token) {
      const Cut& cut = divided.list.cuts[token];
      ASSERT_EQ(static_cast<std::int32_t>(tokens[token].size()), cut.splits) << "token " << token;
      std::int32_t next = 0;
      for (const Piece& piece : tokens[token]) {
        ASSERT_EQ(piece.split, next++) << "token " << token;
        ASSERT_EQ(piece.splits, cut.splits) << "token " << token;
        ASSERT_EQ(piece.firstSlot, cut.firstSlot) << "token " << token;
      }
      ASSERT_EQ(cut.tiles, rowTiles(token)) << "token " << token;
    }
  });
}

TEST_P(CutBatches, SlotsOfCutTokensAreApartAndTwoForEachBoundaryAtMost) {
  forEach([&](const Divided& divided) {
    std::vector<bool> taken(static_cast<std::size_t>(2 * (divided.division.parts - 1)));
    for (const Cut& cut : divided.list.cuts)
      for (std::int32_t slot = cut.firstSlot; cut.splits > 1 && slot < cut.firstSlot + cut.splits;
           ++slot) {
        ASSERT_GE(slot, 0);
        ASSERT_LT(slot, static_cast<std::int32_t>(taken.size()));
        ASSERT_FALSE(taken[static_cast<std::size_t>(slot)]) << "slot " << slot;
        taken[static_cast<std::size_t>(slot)] = true;
      }
  });
}

TEST_P(CutBatches, EveryTokenHasAPieceAndEachBoundaryMakesOneMoreAtMost) {
  forEach([&](const Divided& divided) {
    EXPECT_GE(divided.list.pieces.size(), lengths().size());
    EXPECT_LT(divided.list.pieces.size(),
              lengths().size() + static_cast<std::size_t>(divided.division.parts));
  });
}

TEST_P(CutBatches, NoRowIsCutIntoPiecesThatAreNotWorthIt) {
  forEach([&](const Divided& divided) {
    for (const Piece& piece : divided.list.pieces)
      ASSERT_TRUE(piece.splits == 1 || piece.tiles >= leastPiece(divided.division))
          << piece.tiles << " tiles of token " << piece.token;
  });
}

TEST_P(CutBatches, NoLengthClassComesAfterAShorterOne) {
  constexpr std::int64_t kClasses = 32;
  forEach([&](const Divided& divided) {
    const std::int64_t each = costOfPart(divided.division);
    std::int64_t last = kClasses;
    for (const Piece& piece : divided.list.pieces) {
      const std::int64_t now = std::min(kClasses - 1, piece.tiles * kClasses / each);
      ASSERT_LE(now, last) << "a piece of token " << piece.token << " stands after shorter ones";
      last = now;
    }
  });
}

TEST_P(CutBatches, LengthsAloneDecideTheCuts) {
  forEach([&](const Divided& divided) {
    ASSERT_EQ(divided.list.cuts, divided.again.cuts);
    const auto tokens = byToken(divided.list);
    const auto again = byToken(divided.again);
    for (std::size_t token = 0; token < tokens.size(); ++token)
      for (std::size_t i = 0; i < tokens[token].size(); ++i)
        ASSERT_EQ(tokens[token][i].firstTile, again[token].at(i).firstTile) << "token " << token;
  });
}

/// When the last machine ends, if each takes the next piece of the list as soon as it is idle.
std::int64_t endOf(const CutList& list, const Division& division) {
  std::priority_queue<std::int64_t, std::vector<std::int64_t>, std::greater<>> idleFrom;
  for (int machine = 0; machine < division.parts; ++machine)
    idleFrom.push(0);
  std::int64_t end = 0;
  for (const Piece& piece : list.pieces) {
    const std::int64_t done = idleFrom.top() + piece.tiles + division.pieceTiles;
    idleFrom.pop();
    idleFrom.push(done);
    end = std::max(end, done);
  }
  return end;
}

TEST_P(CutBatches, PartsEndTogetherWhereThereIsMuchToDo) {
  forEach([&](const Divided& divided) {
    const Division& division = divided.division;
    constexpr std::int64_t kMuch = 8; // pieces' own cost, in each part
    const std::int64_t total = cost(division.pieceTiles);
    if (total < kMuch * division.parts * division.pieceTiles)
      return;
    const double share = static_cast<double>(total) / division.parts;
    EXPECT_LE(static_cast<double>(endOf(divided.list, division)),
              1.3 * share + 2 * division.pieceTiles);
  });
}

/// Top-k rows differ in how they are measured only.
std::vector<Param> allParams() {
  std::vector<Param> params;
  for (const Batch& batch : allBatches(longestOf(Rows::Dense)))
    params.emplace_back(Rows::Dense, batch);
  for (const Batch& batch : allBatches(longestOf(Rows::Topk)))
    if (batch.name == "MixedLengths" || batch.name == "OneLongAmongShort")
      params.emplace_back(Rows::Topk, batch);
  return params;
}

std::string paramName(const testing::TestParamInfo<Param>& info) {
  const std::string rows = std::get<0>(info.param) == Rows::Dense ? "Dense_" : "Topk_";
  return rows + std::get<1>(info.param).name;
}

INSTANTIATE_TEST_SUITE_P(All, CutBatches, testing::ValuesIn(allParams()), paramName);

TEST(Schedule, ARowMayBeAsLongAsLengthsGo) {
  const auto session = openVariant(variantOf(Rows::Dense));
  ASSERT_TRUE(session) << session.error().message;
  for (const Division& division : {Division{1, 1}, Division{132, 9}}) {
    const auto list = cutBatch(*session, std::vector<std::int32_t>{2147483647, 100}, division, 0);
    ASSERT_TRUE(list) << list.error().message;
    EXPECT_EQ(list->cuts[0].tiles, 1 << 27);
    EXPECT_EQ(list->cuts[0].splits, division.parts);
    std::int64_t tiles = 0;
    for (const Piece& piece : list->pieces)
      tiles += piece.tiles;
    EXPECT_EQ(tiles, (1 << 27) + 7);
  }
}

TEST(Schedule, FewTilesAreCutHoweverMuchAPieceCosts) {
  const auto session = openVariant(variantOf(Rows::Dense));
  ASSERT_TRUE(session) << session.error().message;
  const auto list = cutBatch(*session, std::vector<std::int32_t>{400, 16, 0}, {132, 64}, 0);
  ASSERT_TRUE(list) << list.error().message;
  EXPECT_EQ(list->cuts[0].splits, 13) << "25 tiles, two to a part";
  EXPECT_EQ(list->cuts[1].splits, 1);
  EXPECT_EQ(list->cuts[2].splits, 1);
}

TEST(Schedule, TopkLengthsPastEitherEndAreThoseOfAnEmptyAndOfAFullRow) {
  const auto session = openVariant(variantOf(Rows::Topk));
  ASSERT_TRUE(session) << session.error().message;
  const std::vector<std::int32_t> lengths = {-1, 4097, 2147483647, -2147483647 - 1, 4096, 4095};
  const auto list = cutBatch(*session, lengths, {4, 1}, 0);
  ASSERT_TRUE(list) << list.error().message;
  const std::vector<std::int32_t> tiles = {0, 256, 256, 0, 256, 256};
  for (std::size_t token = 0; token < tiles.size(); ++token)
    EXPECT_EQ(list->cuts[token].tiles, tiles[token]) << "token " << token;
}

} // namespace
} // namespace mlac::cuts
