#include "verify/Tolerance.h"

#include "TinyProblem.h"
#include "verify/KeySlots.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace mlac::verify {
namespace {

/// The reference itself, rounded and stored where a kernel would store it.
Outputs perfectOutputs(const Problem& problem, const Reference& reference) {
  Outputs outputs = freshOutputs(problem);
  const auto store =
      [&](const OutputView& view, std::vector<std::byte>& buffer, const std::vector<double>& from) {
        std::size_t next = 0;
        for (int t = 0; view.present() && t < problem.tokens; ++t)
          for (int h = 0; h < problem.variant.heads; ++h)
            for (int d = 0; d < view.dims; ++d)
              storeElement(view.type,
                           static_cast<float>(from[next++]),
                           buffer.data() + view.byteAt(t, h, d));
      };
  store(problem.out, outputs.out, reference.out);
  store(problem.lse, outputs.lse, reference.lse);
  store(problem.maxLogit, outputs.maxLogit, reference.maxLogit);
  return outputs;
}

class Tolerated : public ::testing::Test {
protected:
  Tolerated() {
    Variant variant = smallVariant(IterateKind::TopkLogical, 9);
    variant.output = ElementType::BF16;
    problem = mustMake(variant, stressOptions(variant, 12, 40, 11));
    reference = referenceAttention(problem);
    outputs = perfectOutputs(problem, reference);
  }

  Report check() const {
    return checkOutputs(problem, outputs, reference, tolerancesOf(operationOf(problem)));
  }

  std::byte* outAt(int t, int h, int d) { return outputs.out.data() + problem.out.byteAt(t, h, d); }

  /// A token that attends to something.
  int fullToken() const {
    for (int t = 0; t < problem.tokens; ++t)
      if (!attendedSlots(problem, t).empty())
        return t;
    return -1;
  }

  int emptyToken() const {
    for (int t = 0; t < problem.tokens; ++t)
      if (attendedSlots(problem, t).empty())
        return t;
    return -1;
  }

  Problem problem;
  Reference reference;
  Outputs outputs;
};

TEST_F(Tolerated, RoundedReferencePasses) {
  const Report report = check();
  EXPECT_TRUE(report.passed()) << describe(report);
  ASSERT_EQ(report.tensors.size(), 3U);
  EXPECT_EQ(report.tensors[0].elements, 12 * 3 * 32);
}

TEST_F(Tolerated, OneWrongElementIsFoundAtItsPlace) {
  const int token = fullToken();
  storeElement(ElementType::BF16, 3.5F, outAt(token, 2, 17));
  const Report report = check();
  EXPECT_FALSE(report.passed());
  const TensorReport& out = report.tensors[0];
  EXPECT_EQ(out.failed, 1);
  EXPECT_EQ(out.token, token);
  EXPECT_EQ(out.head, 2);
  EXPECT_EQ(out.dim, 17);
  EXPECT_EQ(out.got, 3.5);
  EXPECT_NE(describe(report).find("dim 17: 3.5"), std::string::npos);
}

TEST_F(Tolerated, OneMissingWriteIsFound) {
  outAt(fullToken(), 1, 31)[0] = outAt(fullToken(), 1, 31)[1] = kFillByte;
  const Report report = check();
  EXPECT_FALSE(report.passed());
  EXPECT_EQ(report.tensors[0].failed, 1);
  EXPECT_EQ(report.tensors[0].unwritten, 1);
  EXPECT_EQ(report.tensors[0].anomalies, 1);
  EXPECT_EQ(report.tensors[0].dim, 31);
}

TEST_F(Tolerated, AnEmptyRowsLseMustHaveTheRightSign) {
  const int token = emptyToken();
  ASSERT_GE(token, 0);
  storeElement(ElementType::F32,
               std::numeric_limits<float>::infinity(),
               outputs.lse.data() + problem.lse.byteAt(token, 0, 0));
  const Report report = check();
  EXPECT_FALSE(report.passed());
  EXPECT_TRUE(report.tensors[0].passed());
  EXPECT_EQ(report.tensors[1].anomalies, 1);
  EXPECT_TRUE(report.tensors[2].passed());
}

TEST_F(Tolerated, AFiniteLseWhereInfinityBelongsIsFound) {
  storeElement(
      ElementType::F32, -1e30F, outputs.lse.data() + problem.lse.byteAt(emptyToken(), 1, 0));
  EXPECT_EQ(check().tensors[1].anomalies, 1);
}

TEST_F(Tolerated, ALseInTheWrongBaseIsFound) {
  for (int h = 0; h < problem.variant.heads; ++h) {
    std::byte* place = outputs.lse.data() + problem.lse.byteAt(fullToken(), h, 0);
    storeElement(ElementType::F32, loadElement(ElementType::F32, place) * 1.442695F, place);
  }
  EXPECT_EQ(check().tensors[1].failed, problem.variant.heads);
}

TEST_F(Tolerated, ASmallErrorEverywhereIsCaughtByTheCosine) {
  // Within 2.01/128 relative, so that no single element fails, but all in alternating directions.
  for (int t = 0; t < problem.tokens; ++t)
    for (int h = 0; h < problem.variant.heads; ++h)
      for (int d = 0; d < problem.out.dims; ++d) {
        const float factor = d % 2 == 0 ? 1.006F : 0.994F;
        storeElement(ElementType::BF16,
                     loadElement(ElementType::BF16, outAt(t, h, d)) * factor,
                     outAt(t, h, d));
      }
  const Report report = check();
  EXPECT_EQ(report.tensors[0].failed, 0) << describe(report);
  EXPECT_GT(report.tensors[0].cosineDiff, report.tensors[0].tolerance.cosine);
  EXPECT_FALSE(report.passed());
}

TEST_F(Tolerated, AWriteIntoAGuardOrAGapIsFound) {
  outputs.out[0] = std::byte{0};
  outputs.lse.back() = std::byte{1};
  outAt(0, 0, problem.out.dims - 1)[2] = std::byte{2}; // the gap after head 0
  const Report report = check();
  EXPECT_EQ(report.guards.bytes, 3);
  EXPECT_NE(report.guards.where.find("out buffer, byte 0 of"), std::string::npos);
  EXPECT_FALSE(report.passed());
}

TEST_F(Tolerated, OnlyTheReferencesTokensAreCompared) {
  reference = referenceAttention(problem, {.tokens = {fullToken()}});
  const int other = fullToken() == 0 ? 1 : 0;
  storeElement(ElementType::BF16, 3.5F, outAt(other, 0, 0));
  EXPECT_TRUE(check().passed());
  storeElement(ElementType::BF16, 3.5F, outAt(fullToken(), 0, 0));
  EXPECT_FALSE(check().passed());
}

TEST(Tolerance, ElementPassesByEitherLimitAlone) {
  Variant variant = tinyVariant();
  variant.lse = LseMode::None;
  variant.maxLogit = false;
  Problem problem = mustMake(variant, {.tokens = 1, .context = 1});
  setKey(problem, attendedSlots(problem, 0)[0], {100, 0.001F});
  const Reference reference = referenceAttention(problem);
  Outputs outputs = perfectOutputs(problem, reference);
  const auto check = [&](int dim, float value) {
    Outputs changed = outputs;
    storeElement(ElementType::F32, value, changed.out.data() + problem.out.byteAt(0, 0, dim));
    const Tolerances tolerances = tolerancesOf(Operation::DenseDecode);
    return checkOutputs(problem, changed, reference, tolerances).tensors[0].failed == 0;
  };
  EXPECT_TRUE(check(0, 101.5F)) << "relative 0.015 below 2.01/128";
  EXPECT_FALSE(check(0, 101.6F));
  EXPECT_TRUE(check(1, 0.0017F)) << "absolute 7e-4 below 8e-4";
  EXPECT_FALSE(check(1, 0.0019F));
}

TEST(Tolerance, NumbersAreFlashMlasTable) {
  const Tolerances dense = tolerancesOf(Operation::DenseDecode);
  const Tolerances decode = tolerancesOf(Operation::SparseDecode);
  const Tolerances prefill = tolerancesOf(Operation::SparsePrefill);
  EXPECT_EQ(dense.out.absolute, 8e-4);
  EXPECT_EQ(decode.out.absolute, 1e-3);
  EXPECT_EQ(prefill.out.absolute, 8e-4);
  EXPECT_EQ(decode.out.relative, 2.01 / 128);
  EXPECT_EQ(prefill.out.relative, 3.01 / 128);
  EXPECT_EQ(decode.out.cosine, 5e-6);
  EXPECT_EQ(prefill.out.cosine, 7e-6);
  EXPECT_EQ(dense.lse.relative, 8.01 / 65536);
  EXPECT_EQ(prefill.lse.relative, 2.01 / 65536);
  EXPECT_EQ(prefill.maxLogit.absolute, 1e-6);
}

TEST(Tolerance, OperationFollowsIterationAndQueryCount) {
  const auto operation = [](const Variant& variant, int tokens, int requests) {
    return operationOf(mustMake(variant, {.tokens = tokens, .requests = requests, .context = 64}));
  };
  EXPECT_EQ(operation(smallVariant(IterateKind::Window), 32, 1), Operation::DenseDecode);
  EXPECT_EQ(operation(smallVariant(IterateKind::TopkLogical, 4), 8, 1), Operation::SparseDecode);
  EXPECT_EQ(operation(smallVariant(IterateKind::TopkLogical, 4), 9, 1), Operation::SparsePrefill);
}

} // namespace
} // namespace mlac::verify
