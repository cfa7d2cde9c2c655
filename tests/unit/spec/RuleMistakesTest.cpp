// Each mistake that a rule or a parameter can hold: its place, what was found, the remedy.
#include "tests/unit/spec/SpecTestSupport.h"

#include <ostream>

namespace mlac::test {
namespace {

struct Mistake {
  const char* name;
  const char* lines; ///< from line 8 on
  const char* place; ///< line:column of the error in the spec
  const char* message;
  const char* help;
};

std::ostream& operator<<(std::ostream& stream, const Mistake& mistake) {
  return stream << mistake.lines;
}

class DiagnoseRule : public testing::TestWithParam<Mistake> {};

TEST_P(DiagnoseRule, NamesPlaceFindingAndRemedyOnce) {
  const Mistake& mistake = GetParam();
  const std::string text = diagnose(specWith({{"rules", mistake.lines}}));
  expectOneError(text, mistake.place, mistake.message, mistake.help);
}

constexpr Mistake kMistakes[] = {
    {"UnknownName", "score(s) = s * capp", "8:18", "unknown name `capp`", "declare it: param capp"},
    {"MisspeltFunction",
     "score(s) = tanhh(s)",
     "8:14",
     "unknown name `tanhh`",
     "did you mean `tanh`?"},
    {"TooFewArguments",
     "score(s) = softcap(s)",
     "8:14",
     "`softcap` takes 2 arguments, found 1",
     "write: softcap(s, 50)"},
    {"TooManyArguments",
     "score(s) = exp(s, s)",
     "8:14",
     "`exp` takes 1 argument, found 2",
     "write: exp(s)"},
    {"NoArguments",
     "mask(q, k) = causal()",
     "8:16",
     "`causal` takes 2 arguments, found 0",
     "write: causal(q, k)"},
    {"FunctionBare", "score(s) = tanh * s", "8:19", "`tanh` is a function", "write: tanh(s)"},
    {"ConditionInSum",
     "score(s, q, k) = s + (k < q)",
     "8:22",
     "`+` takes numbers, found f32, a condition",
     "a condition becomes a number by select(c, 1, 0)"},
    {"NumbersJoined",
     "mask(q, k) = k && q",
     "8:18",
     "`&&` takes conditions, found i32, i32",
     "compare numbers first"},
    {"NumberNegated",
     "mask(k) = !k",
     "8:13",
     "`!` takes conditions, found i32",
     "compare numbers first"},
    {"RemainderOfReals",
     "score(s) = s % 2",
     "8:16",
     "`%` takes whole numbers (i32), found f32, i32",
     "f32 has no remainder"},
    {"RealPosition",
     "mask(k) = causal(0.5, k)",
     "8:13",
     "`causal` takes two positions (i32), found f32, i32",
     "write: causal(q, k)"},
    {"ChainedComparison",
     "mask(q, k) = 0 <= k < q",
     "8:23",
     "`<` takes numbers, found a condition, i32",
     "a condition becomes a number"},
    {"BranchesMixed",
     "score(s, q, k) = select(k < q, s, k < q)",
     "8:20",
     "`select` takes a condition and two values of one kind, found a condition, f32, a condition",
     "write: select(k < q, s, 0)"},
    {"ScoreIsCondition",
     "score(s) = s < 2",
     "8:14",
     "`score` must be a number, found a condition",
     "choose between numbers"},
    {"MaskIsNumber",
     "mask(q, k) = q - k",
     "8:16",
     "`mask` must be a condition, found i32",
     "compare: k <= q"},
    {"DivisionByZero",
     "score(s) = s / 0",
     "8:18",
     "`/` divides by this, and it is always 0",
     "divide by"},
    {"DivisionByFoldedZero",
     "param c : i32 = 4\n  score(s, k) = s * (k / (c - 4))",
     "9:29",
     "`/` divides by this, and it is always 0",
     "divide by"},
    {"RemainderByZero", "mask(k) = k % 0 == 1", "8:17", "`%` divides by this", "divide by"},
    {"CapZero", "score(s) = softcap(s, 0.0)", "8:25", "`softcap` divides by this", "divide by"},
    {"MaskFalse", "mask(k) = 1 > 2", "8:3", "keeps no key", "a mask is true for the keys to keep"},
    {"MaskFalseByTerm", "mask(q, k) = k < q && 1 > 2", "8:3", "keeps no key", "a mask is true"},
    {"MaskBelowZero", "mask(k) = k < 0", "8:3", "keeps no key", "a mask is true"},
    {"MaskNowhere", "mask(k) = k >= 10 && 5 > k", "8:3", "keeps no key", "a mask is true"},
    {"MaskAfterAndBeforeQuery",
     "mask(q, k) = k > q && k < q",
     "8:3",
     "keeps no key",
     "a mask is true"},
    {"ParamUnused",
     "param cap : f32 = 50",
     "8:9",
     "parameter `cap` is not used",
     "use it, or remove"},
    {"ParamTwice",
     "param c : f32\n  param c : f32\n  score(s) = s * c",
     "9:9",
     "there is already a parameter named `c`",
     "give each parameter its own name"},
    {"ParamNamedLikeFunction",
     "param exp : f32 = 1",
     "8:9",
     "`exp` already means something",
     "choose another"},
    {"ParamNamedLikeArgument",
     "param k : i32",
     "8:9",
     "`k` already means something",
     "choose another"},
    {"ParamNamedLikeRule",
     "param score : i32",
     "8:9",
     "`score` already means something",
     "choose another"},
    {"ParamNamedKeyword", "param double : f32", "8:9", "is a C++ keyword", "choose another"},
    {"ParamNamedUnderscore", "param _c : f32", "8:9", "begins with `_`", "choose another"},
    {"ParamNameless",
     "param : f32",
     "8:9",
     "a parameter needs a name",
     "write: param cap : f32 = 50"},
    {"ParamUntyped", "param cap = 50", "8:13", "expected `:`, found `=`", "write: param cap"},
    {"ParamType",
     "param cap : bf16",
     "8:15",
     "a parameter's type must be `f32` or `i32`, found `bf16`",
     "write: param cap"},
    {"ParamPer",
     "param cap : f32 per key",
     "8:23",
     "`per` must be `head` or `token`",
     "write: param"},
    {"ParamNan",
     "param cap : f32 = nan",
     "8:21",
     "cap is `nan`; it must be finite",
     "write: param"},
    {"ParamInf",
     "param cap : f32 = -inf",
     "8:21",
     "cap is `inf`; it must be finite",
     "write: param"},
    {"ParamHuge", "param cap : f32 = 1e40", "8:21", "beyond f32's largest", "write: param"},
    {"ParamFraction",
     "param n : i32 = 0.5",
     "8:19",
     "n is `0.5`; it must be a whole number",
     "write: param"},
    {"ParamArrayDefault",
     "param c : f32 per head = 1",
     "8:28",
     "a default is one number, and this parameter has many",
     "drop the default"},
    {"ParamUnindexed",
     "param c : f32 per head\n  score(s, h) = s * c",
     "9:22",
     "`c` has a number per head",
     "write: c[h]"},
    {"ParamIndexedWrongly",
     "param c : f32 per token\n  score(s, h) = s * c[h]",
     "9:22",
     "`c` has a number per token",
     "write: c[t]"},
    {"ParamIndexedInVain",
     "param c : f32\n  score(s, h) = s * c[h]",
     "9:22",
     "`c` is one number and takes no index",
     "write: c"},
    {"IndexUnlisted",
     "param c : f32 per head\n  score(s) = s * c[h]",
     "9:18",
     "`h` is not among the arguments of `score`",
     "name it: score(h, ...) ="},
    {"Unlisted",
     "mask(k) = k <= q",
     "8:18",
     "`q` is not among the arguments of `mask`",
     "name it: mask(q, ...) ="},
    {"ScoreInMask",
     "mask(k) = s > 0",
     "8:13",
     "`s` is not among the arguments",
     "a mask looks at h, q, k and t"},
    {"ScoreListedInMask",
     "mask(s) = s > 0",
     "8:8",
     "an argument of `mask` must be `h`, `q`, `k` or `t`",
     "write: mask"},
    {"ListedTwice", "score(s, s) = s", "8:12", "`s` is listed twice", "keep one of them"},
    {"NoEquals", "score(s) s", "8:12", "expected `=`, found `s`", "write: score(s)"},
    {"NoList", "score = 2", "8:9", "expected `(`, found `=`", "write: score(s)"},
    {"Assignment",
     "mask(q, k) = k = q",
     "8:18",
     "expected an operator or the end of the line, found `=`",
     "`==` compares"},
    {"Dangling",
     "score(s) = s +",
     "8:17",
     "expected a value, found the end of the line",
     "an expression is made of"},
    {"Unclosed",
     "score(s) = (s + 1",
     "8:20",
     "expected `)`, found the end of the line",
     "an expression is made of"},
    {"Recursion",
     "score(s) = score(s) + 1",
     "8:14",
     "`score` is a rule, and rules name neither",
     "write the expression out"},
    {"RuleInRule",
     "score(s) = select(mask, s, 0)",
     "8:21",
     "`mask` is a rule",
     "write the expression out"},
    {"WholeTooLarge",
     "mask(k) = k < 2147483648",
     "8:17",
     "`2147483648` is no number that a rule can hold",
     "whole numbers go up to"},
    {"FoldTooLarge",
     "mask(k) = k < 65536 * 65536",
     "8:23",
     "`*` of these numbers is beyond i32",
     "write one of them with a point"},
    {"BadSymbol",
     "score(s) = s @ 2",
     "8:16",
     "`@` has no meaning after `score`",
     "write: score(s)"},
    {"SinkBare",
     "sink",
     "8:7",
     "expected `per`, found the end of the line",
     "write: sink per head"},
    {"SinkPerToken",
     "sink per token",
     "8:12",
     "expected `head`, found `token`",
     "write: sink per head"},
    {"ScoreTwice", "score(s) = s\n  score(s) = s", "9:3", "`score` is written twice", "keep one"},
};

INSTANTIATE_TEST_SUITE_P(Rules, DiagnoseRule, testing::ValuesIn(kMistakes), [](const auto& info) {
  return std::string(info.param.name);
});

TEST(RuleMistakes, PositionsAreRefusedWithPhysicalIndices) {
  for (const char* rule :
       {"mask(k) = k < 64", "score(s, q) = s + q", "mask(q, k) = causal(q, k)"}) {
    const std::string text =
        diagnose(specWith({{"iterate", "iterate topk 64 physical"}, {"rules", rule}}));
    EXPECT_TRUE(contains(text, "a physical slot does not tell its key's position")) << text;
    EXPECT_TRUE(contains(text, "the indices are physical here")) << text;
    EXPECT_TRUE(contains(text, "help: write `logical` indices")) << text;
  }
}

TEST(RuleMistakes, TheThirtyThirdParameterIsOneTooMany) {
  std::string lines;
  std::string sum = "score(s) = s";
  for (int i = 0; i < 33; ++i) {
    lines += "param p" + std::to_string(i) + " : f32\n  ";
    sum += " + p" + std::to_string(i);
  }
  EXPECT_TRUE(contains(diagnose(specWith({{"rules", lines + sum}})),
                       "an attention has at most 32 parameters"));
}

TEST(RuleMistakes, NestingEndsAtItsLimitInsteadOfTheStack) {
  const auto nested = [](const std::string& open, const std::string& close, int depth) {
    std::string text = "score(s) = ";
    for (int i = 0; i < depth; ++i)
      text += open;
    text += "s";
    for (int i = 0; i < depth; ++i)
      text += close;
    return specWith({{"rules", text}});
  };
  EXPECT_EQ(diagnose(nested("(", ")", 255)), "");
  for (const auto& [open, close] : {std::pair("(", ")"), {"-", ""}, {"exp(", ")"}})
    EXPECT_TRUE(contains(diagnose(nested(open, close, 100000)),
                         "the expression is nested more than 256 deep"));
}

} // namespace
} // namespace mlac::test
