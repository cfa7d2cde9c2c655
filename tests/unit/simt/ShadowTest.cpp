// The history of accesses: which new access is ordered after which earlier ones.
#include "simt/memory/Shadow.h"

#include <gtest/gtest.h>

#include <utility>

namespace mlac::simt {
namespace {

constexpr std::uint32_t kThreads = 32;
constexpr std::uint32_t kCta = 5; // the launch's first

/// Agents 0 to 31 are threads, later ones copies; each knows of itself and what it is told.
class Agent {
public:
  explicit Agent(std::uint16_t number, std::uint32_t cta = kCta) : number(number), cta(cta) {
    seen.raise(number, 1);
    observer.firstCta = kCta;
    observer.threads = kThreads;
    observer.firstCtaBefore = kCta;
  }

  void learn(const Agent& other) { seen.join(other.seen); }

  /// What it did so far, others can know without what it does from now on.
  void advance() { seen.raise(number, seen.at(number) + 1); }

  std::optional<Conflict>
  access(Shadow& shadow, std::uint64_t offset, std::uint64_t bytes, AccessKind kind) {
    Stamp stamp;
    stamp.cta = cta;
    stamp.agent = number;
    stamp.owner = number & 0x7fff;
    stamp.atomic = kind == AccessKind::Atomic;
    stamp.tick = seen.at(number);
    observer.ofThreads = &seen;
    observer.ofCopies = &seen;
    return shadow.access(offset, bytes, {kind, stamp, observer});
  }

  std::optional<Conflict> read(Shadow& shadow, std::uint64_t offset = 0, std::uint64_t bytes = 4) {
    return access(shadow, offset, bytes, AccessKind::Read);
  }

  std::optional<Conflict> write(Shadow& shadow, std::uint64_t offset = 0, std::uint64_t bytes = 4) {
    return access(shadow, offset, bytes, AccessKind::Write);
  }

  std::optional<Conflict> update(Shadow& shadow, std::uint64_t offset = 0) {
    return access(shadow, offset, 4, AccessKind::Atomic);
  }

  Observer observer;
  VectorClock seen;
  std::uint16_t number;
  std::uint32_t cta;
};

class ShadowTest : public testing::Test {
protected:
  Shadow shadow{8192, true, false};
  Agent a{0};
  Agent b{1};
  Agent c{2};
};

TEST_F(ShadowTest, AThreadIsInOrderWithItself) {
  EXPECT_FALSE(a.write(shadow));
  EXPECT_FALSE(a.read(shadow));
  EXPECT_FALSE(a.write(shadow));
  EXPECT_FALSE(a.update(shadow));
}

TEST_F(ShadowTest, AReadMustKnowOfTheLastWrite) {
  EXPECT_FALSE(a.write(shadow, 8));
  const auto conflict = b.read(shadow, 8);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->earlier.agent, a.number);
  EXPECT_EQ(conflict->earlier.cta, kCta);
  EXPECT_TRUE(conflict->earlierWrites);
  EXPECT_FALSE(conflict->uninitialised);
  EXPECT_EQ(conflict->offset, 8U);
}

TEST_F(ShadowTest, AReadThatKnowsOfTheLastWritePasses) {
  EXPECT_FALSE(a.write(shadow));
  b.learn(a);
  EXPECT_FALSE(b.read(shadow));
}

TEST_F(ShadowTest, KnowingAThreadsPastIsNotKnowingItsNextWrite) {
  b.learn(a);
  a.advance();
  EXPECT_FALSE(a.write(shadow));
  EXPECT_TRUE(b.read(shadow));
}

TEST_F(ShadowTest, AWriteMustKnowOfTheLastWrite) {
  EXPECT_FALSE(a.write(shadow));
  const auto conflict = b.write(shadow);
  ASSERT_TRUE(conflict);
  EXPECT_TRUE(conflict->earlierWrites);
}

TEST_F(ShadowTest, ReadsNeedNoOrderAmongThemselves) {
  EXPECT_FALSE(a.read(shadow));
  EXPECT_FALSE(b.read(shadow));
  EXPECT_FALSE(c.read(shadow));
}

TEST_F(ShadowTest, AWriteMustKnowOfEveryReader) {
  for (std::uint16_t reader = 1; reader < kThreads; ++reader)
    EXPECT_FALSE(Agent(reader).read(shadow));
  for (std::uint16_t reader = 1; reader < kThreads - 1; ++reader)
    a.learn(Agent(reader));
  const auto conflict = a.write(shadow);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->earlier.agent, kThreads - 1) << "the one reader it knows nothing of";
  EXPECT_FALSE(conflict->earlierWrites);
}

TEST_F(ShadowTest, AWriteThatKnowsOfEveryReaderPasses) {
  for (std::uint16_t reader = 1; reader < kThreads; ++reader) {
    EXPECT_FALSE(Agent(reader).read(shadow));
    a.learn(Agent(reader));
  }
  EXPECT_FALSE(a.write(shadow));
}

TEST_F(ShadowTest, WhoKnowsOfALaterReadKnowsOfThoseBeforeIt) {
  EXPECT_FALSE(a.read(shadow));
  b.learn(a);
  EXPECT_FALSE(b.read(shadow)); // takes the place of a's
  c.learn(b);
  EXPECT_FALSE(c.write(shadow));
}

TEST_F(ShadowTest, WhatNobodyWroteIsToldFromARace) {
  Shadow fresh(64, false, false);
  const auto conflict = a.read(fresh, 12);
  ASSERT_TRUE(conflict);
  EXPECT_TRUE(conflict->uninitialised);
  EXPECT_EQ(conflict->offset, 12U);
  Shadow alsoFresh(64, false, false);
  const auto update = a.update(alsoFresh);
  ASSERT_TRUE(update);
  EXPECT_TRUE(update->uninitialised) << "an atomic operation reads";
}

TEST_F(ShadowTest, AWordIsInitialisedByteByByte) {
  Shadow fresh(64, false, false);
  EXPECT_FALSE(a.write(fresh, 0, 3));
  EXPECT_FALSE(a.read(fresh, 0, 3));
  const auto conflict = a.read(fresh, 0, 4);
  ASSERT_TRUE(conflict);
  EXPECT_TRUE(conflict->uninitialised);
}

TEST_F(ShadowTest, BytesOfOneWordBelongToDifferentThreads) {
  EXPECT_FALSE(a.write(shadow, 0, 1));
  EXPECT_FALSE(b.write(shadow, 1, 1));
  EXPECT_FALSE(c.write(shadow, 2, 2));
  EXPECT_TRUE(b.read(shadow, 0, 1));
}

TEST_F(ShadowTest, TheBytesOfAWordRememberWhatWasDoneToTheWord) {
  EXPECT_FALSE(a.write(shadow));
  EXPECT_FALSE(a.write(shadow, 1, 1)); // splits it
  EXPECT_TRUE(b.read(shadow, 3, 1));
}

TEST_F(ShadowTest, TheBytesOfAWordRememberItsReaders) {
  EXPECT_FALSE(a.read(shadow));
  EXPECT_FALSE(b.read(shadow));
  c.learn(a);
  EXPECT_FALSE(c.read(shadow, 0, 1)); // splits it
  EXPECT_TRUE(c.write(shadow, 2, 1)) << "b has read this byte with the word";
}

TEST_F(ShadowTest, AWordAccessSeesEveryByteOfASplitWord) {
  EXPECT_FALSE(a.write(shadow, 3, 1));
  EXPECT_TRUE(b.read(shadow, 0, 4));
}

TEST_F(ShadowTest, AnAccessAcrossWordsAndPagesIsCheckedToItsLastByte) {
  constexpr std::uint64_t kPageEnd = 2048; // of Shadow's pages of 512 words
  EXPECT_FALSE(a.write(shadow, kPageEnd + 5, 1));
  EXPECT_FALSE(b.write(shadow, kPageEnd - 7, 12)) << "its last byte is that before";
  const auto conflict = c.read(shadow, kPageEnd - 3, 9);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->earlier.agent, b.number);
  Shadow other(8192, true, false);
  EXPECT_FALSE(a.write(other, kPageEnd + 5, 1));
  const auto last = b.read(other, kPageEnd - 7, 13);
  ASSERT_TRUE(last);
  EXPECT_EQ(last->offset / 4, (kPageEnd + 5) / 4) << "the word of its last byte";
}

TEST_F(ShadowTest, AtomicOperationsNeedNoOrderAmongThemselves) {
  EXPECT_FALSE(a.update(shadow));
  EXPECT_FALSE(b.update(shadow));
  EXPECT_FALSE(c.update(shadow));
}

TEST_F(ShadowTest, APlainAccessMustKnowOfEveryAtomicOperation) {
  EXPECT_FALSE(a.update(shadow));
  EXPECT_FALSE(b.update(shadow));
  c.learn(b);
  const auto conflict = c.read(shadow);
  ASSERT_TRUE(conflict);
  EXPECT_EQ(conflict->earlier.agent, a.number);
  EXPECT_TRUE(conflict->earlierWrites);
  Shadow other(64, true, false);
  EXPECT_FALSE(a.update(other));
  EXPECT_FALSE(b.update(other));
  c.learn(a);
  EXPECT_FALSE(c.read(other));
  EXPECT_FALSE(c.write(other));
}

TEST_F(ShadowTest, AnAtomicOperationMustKnowOfPlainAccesses) {
  EXPECT_FALSE(a.write(shadow));
  EXPECT_TRUE(b.update(shadow));
  Shadow other(64, true, false);
  EXPECT_FALSE(a.read(other));
  EXPECT_TRUE(b.update(other));
  Shadow ordered(64, true, false);
  EXPECT_FALSE(a.write(ordered));
  EXPECT_FALSE(a.read(ordered));
  b.learn(a);
  EXPECT_FALSE(b.update(ordered));
}

TEST_F(ShadowTest, EarlierLaunchesAreOver) {
  EXPECT_FALSE(Agent(0, kCta - 1).write(shadow));
  EXPECT_FALSE(a.write(shadow));
}

TEST_F(ShadowTest, OtherCtasOfTheLaunchMustBeKnownOf) {
  Agent other(0, kCta + 1);
  EXPECT_FALSE(other.write(shadow));
  EXPECT_TRUE(a.read(shadow)) << "the same thread number of another CTA is another thread";
  ForeignKnowledge foreign;
  a.observer.ofOtherCtas = &foreign;
  joinForeign(foreign, kCta + 2, other.seen);
  EXPECT_TRUE(a.read(shadow)) << "knows of a third CTA only";
  joinForeign(foreign, kCta + 1, other.seen);
  EXPECT_FALSE(a.read(shadow));
}

TEST_F(ShadowTest, ManyReadersInOtherCtasStillForbidAWrite) {
  for (std::uint32_t cta = 1; cta <= 20; ++cta)
    EXPECT_FALSE(Agent(0, kCta + cta).read(shadow));
  EXPECT_TRUE(a.write(shadow));
}

TEST_F(ShadowTest, ADependentLaunchMustWaitForTheGridBefore) {
  Agent before(0, kCta - 1);
  Agent longBefore(0, kCta - 3);
  EXPECT_FALSE(longBefore.write(shadow, 0));
  EXPECT_FALSE(before.write(shadow, 4));
  a.observer.waitsForPreviousGrid = true;
  a.observer.firstCtaBefore = kCta - 2;
  EXPECT_FALSE(a.read(shadow, 0)) << "the grid before that one is over";
  EXPECT_TRUE(a.read(shadow, 4));
  a.observer.waitsForPreviousGrid = false;
  EXPECT_FALSE(a.read(shadow, 4));
}

TEST_F(ShadowTest, TwoCopiesOfOneBatchAreNotInOrder) {
  Agent copies(kThreads + 3);
  EXPECT_FALSE(copies.write(shadow, 0, 16));
  EXPECT_TRUE(copies.write(shadow, 0, 16));
  copies.advance();
  Shadow other(64, true, false);
  EXPECT_FALSE(copies.write(other, 0, 16));
  copies.advance();
  EXPECT_FALSE(copies.write(other, 0, 16))
      << "a later copy of that number: the first was waited for";
}

TEST_F(ShadowTest, ThreadsAndCopiesAreLookedUpInTheClocksGivenForThem) {
  EXPECT_FALSE(b.write(shadow));
  a.learn(b);
  const VectorClock nothing;
  a.observer.ofThreads = &nothing; // as for a bulk copy without a proxy fence
  a.observer.ofCopies = &a.seen;
  Stamp copy;
  copy.cta = kCta;
  copy.agent = kThreads;
  copy.tick = 1;
  EXPECT_TRUE(shadow.access(0, 4, {AccessKind::Write, copy, a.observer}));
  a.observer.ofThreads = &a.seen;
  EXPECT_FALSE(shadow.access(0, 4, {AccessKind::Write, copy, a.observer}));
}

} // namespace
} // namespace mlac::simt
