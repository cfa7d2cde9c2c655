#include "compiler/codegen/RegionPrinter.h"
#include "compiler/codegen/SourceWriter.h"
#include "compiler/ir/MlaDialect.h"
#include "compiler/ir/MlaOps.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

constexpr const char* kAttention = R"mlir(
  mla.attention @a
    heads 8 latent 512 rope 64 value latent query bf16 output bf16
    cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
    iterate dense queries 1 to 1
    scale 1.000000e+00 lse none
    params [#mla.param_decl<"slope" : f32, per_head>, #mla.param_decl<"w" : i32, per_token>,
            #mla.param_decl<"gain" : f32, scalar>]
  interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
    %c0 = arith.constant 0 : i32
    mla.yield %c0, %seqLen : i32, i32
  }
  slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
    %slot = arith.extsi %entry : i32 to i64
    %true = arith.constant true
    mla.yield %entry, %slot, %true : i32, i64, i1
  }
  mask(%h: i32, %q: i32, %k: i32, %t: i32) {
    MASK
  }
  score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
    SCORE
  }
)mlir";

std::string replaced(std::string text, const std::string& word, const std::string& by) {
  return text.replace(text.find(word), word.size(), by);
}

/// The text of a score or mask region, or the error.
class RuleText : public ::testing::Test {
protected:
  RuleText() : context(mlir::MLIRContext::Threading::DISABLED) {
    context.loadDialect<mla::MlaDialect, mlir::arith::ArithDialect, mlir::math::MathDialect>();
  }

  std::string print(const std::string& mask, const std::string& score, bool wantMask) {
    const std::string text = replaced(replaced(kAttention, "MASK", mask), "SCORE", score);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!module)
      return "does not parse";
    mla::AttentionOp op = *module->getOps<mla::AttentionOp>().begin();
    SourceWriter out;
    const Status status =
        wantMask ? printRegion(out, op.getMask(), {"h", "q", "k", "t"}, {"keep"})
                 : printRegion(out, op.getScore(), {"s", "h", "q", "k", "t"}, {"score"});
    return status ? out.take() : status.error().message;
  }

  std::string score(const std::string& body) {
    return print("%true = arith.constant true\nmla.yield %true : i1", body, false);
  }

  std::string mask(const std::string& body) { return print(body, "mla.yield %s : f32", true); }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

TEST_F(RuleText, PrecedenceIsKeptWithTheFewestParentheses) {
  EXPECT_EQ(score(R"(%a = arith.addf %s, %s : f32
    %b = arith.mulf %a, %s : f32
    %c = arith.subf %s, %b : f32
    %d = arith.subf %s, %c : f32
    mla.yield %d : f32)"),
            "return s - (s - (s + s) * s);\n");
}

TEST_F(RuleText, ValuesUsedTwiceGetAName) {
  EXPECT_EQ(score(R"(%a = math.tanh %s : f32
    %b = arith.mulf %a, %a : f32
    mla.yield %b : f32)"),
            "const float part1 = tanhf(s);\nreturn part1 * part1;\n");
}

TEST_F(RuleText, ConditionsReadAsLogic) {
  EXPECT_EQ(mask(R"(%w = arith.constant 128 : i32
    %near = arith.subi %q, %k : i32
    %in = arith.cmpi slt, %near, %w : i32
    %past = arith.cmpi sle, %k, %q : i32
    %both = arith.andi %in, %past : i1
    mla.yield %both : i1)"),
            "return q - k < 128 && k <= q;\n");
}

TEST_F(RuleText, FloatLiteralsReadBackAsTheSameFloat) {
  EXPECT_EQ(score(R"(%c = arith.constant 0.1 : f32
    %d = arith.constant 50.0 : f32
    %a = arith.mulf %s, %c : f32
    %b = arith.divf %a, %d : f32
    mla.yield %b : f32)"),
            "return s * 0.1f / 50.0f;\n");
}

TEST_F(RuleText, SelectsNeedNoNames) {
  EXPECT_EQ(score(R"(%c = arith.cmpi eq, %h, %q : i32
    %n = arith.negf %s : f32
    %r = arith.select %c, %n, %s : f32
    mla.yield %r : f32)"),
            "return h == q ? -s : s;\n");
}

TEST_F(RuleText, ParametersAreArgumentsAndHeadsPastTheLastReadTheLast) {
  EXPECT_EQ(score(R"(%a = mla.param "slope"[%h] : f32
    %b = mla.param "gain" : f32
    %c = arith.mulf %a, %b : f32
    mla.yield %c : f32)"),
            "return __ldg(args.param_slope + smaller(h, 7)) * args.param_gain;\n");
  EXPECT_EQ(mask(R"(%w = mla.param "w"[%t] : i32
    %c = arith.cmpi slt, %k, %w : i32
    mla.yield %c : i1)"),
            "return k < __ldg(args.param_w + t);\n");
}

TEST_F(RuleText, DivisionFloorsAndTheSmallestIntegerIsOne) {
  EXPECT_EQ(mask(R"(%n = arith.constant -7 : i32
    %m = arith.constant -2147483648 : i32
    %d = arith.floordivsi %k, %n : i32
    %e = arith.subi %d, %m : i32
    %c = arith.cmpi sgt, %e, %q : i32
    mla.yield %c : i1)"),
            "return floorDiv(k, -7) - (-2147483647 - 1) > q;\n");
}

TEST_F(RuleText, NegationReadsAsSuch) {
  EXPECT_EQ(mask(R"(%true = arith.constant true
    %a = arith.cmpi slt, %k, %q : i32
    %b = arith.cmpi slt, %h, %q : i32
    %c = arith.ori %a, %b : i1
    %d = arith.xori %c, %true : i1
    mla.yield %d : i1)"),
            "return !(k < q || h < q);\n");
}

TEST_F(RuleText, LongSumsAreGivenNamesOnTheWay) {
  std::string body;
  std::string last = "%s";
  for (int i = 0; i < 2000; ++i) {
    const std::string next = "%v" + std::to_string(i);
    body += next + " = arith.addf " + last + ", %s : f32\n";
    last = next;
  }
  const std::string text = score(body + "mla.yield " + last + " : f32");
  EXPECT_NE(text.find("const float part1 = s + s"), std::string::npos) << text.substr(0, 400);
  EXPECT_LT(text.size(), 20000u);
}

TEST_F(RuleText, AnOperationWithoutWordsIsAnErrorThatNamesIt) {
  const std::string message = score(R"(%a = math.erf %s : f32
    mla.yield %a : f32)");
  EXPECT_NE(message.find("math.erf"), std::string::npos) << message;
}

} // namespace
} // namespace mlac
