#include "tests/unit/spec/RandomRule.h"

#include <array>
#include <string_view>
#include <vector>

namespace mlac::test {
namespace {

class RuleText {
public:
  RuleText(std::mt19937_64& random, bool withPositions)
      : random(random), withPositions(withPositions) {}

  std::string lines() {
    const std::string score = "score(s, h, q, k, t) = softcap(" + real(3) + ", 20)\n";
    std::string mask = "mask(h, q, k, t) = " + condition(3);
    // Some key is left to most rows, and no mask is provably empty.
    mask += " || h >= 0\n";
    if (below(3) > 0)
      mask = "mask(h, q, k, t) = " + keepSome() + "\n";
    std::string text;
    if (uses(score, mask, "gain"))
      text += "param gain : f32" + std::string(below(2) ? " = 1.5\n" : "\n");
    if (uses(score, mask, "slope"))
      text += "param slope : f32 per head\n";
    if (uses(score, mask, "width"))
      text += "param width : i32 per token\n";
    text += score;
    text += mask;
    return text + (below(2) ? "sink per head\n" : "");
  }

private:
  int below(int limit) { return std::uniform_int_distribution(0, limit - 1)(random); }

  static bool uses(const std::string& score, const std::string& mask, const char* name) {
    return score.find(name) != score.npos || mask.find(name) != mask.npos;
  }

  std::string number() { return std::to_string(1 + below(9)); }

  std::string keepSome() {
    if (!withPositions)
      return "(h + t) % " + std::to_string(2 + below(3)) + " != 0";
    switch (below(4)) {
    case 0:
      return "causal(q, k) && " + condition(2) + " || k % 2 == 0";
    case 1:
      return "k <= q && q - k < " + std::to_string(20 + below(100));
    case 2:
      return "sliding_window(q, k, " + std::to_string(30 + below(60)) + ") && (k + h) % 3 != 0";
    default:
      return "k >= " + number() + " && !(k > q) && k != q - " + number();
    }
  }

  std::string real(int depth) {
    if (depth == 0)
      return realLeaf();
    const std::string a = real(depth - 1);
    switch (below(13)) {
    case 0:
      return "(" + a + " + " + real(depth - 1) + ")";
    case 1:
      return "(" + a + " - " + real(depth - 1) + ")";
    case 2:
      return a + " * tanh(" + real(depth - 1) + ")";
    case 3:
      return a + " / (1 + abs(" + real(depth - 1) + "))";
    case 4:
      return "min(" + a + ", " + number() + ")";
    case 5:
      return "max(" + a + ", -" + number() + ")";
    case 6:
      return "exp(-abs(" + a + "))";
    case 7:
      return "log(1 + abs(" + a + "))";
    case 8:
      return "sqrt(0.5 + abs(" + a + "))";
    case 9:
      return "pow(1.5 + tanh(" + a + "), 0.5)";
    case 10:
      return "select(" + condition(depth - 1) + ", " + a + ", " + real(depth - 1) + ")";
    case 11:
      return "0.01 * (" + whole(depth - 1) + " % 100) + " + a;
    default:
      return "-(" + a + ")";
    }
  }

  std::string realLeaf() {
    switch (below(5)) {
    case 0:
      return "0.25";
    case 1:
      return "gain";
    case 2:
      return "slope[h]";
    default:
      return "s";
    }
  }

  std::string whole(int depth) {
    if (depth == 0)
      return wholeLeaf();
    const std::string a = whole(depth - 1);
    switch (below(6)) {
    case 0:
      return "(" + a + " + " + whole(depth - 1) + ")";
    case 1:
      return "(" + a + " - " + whole(depth - 1) + ")";
    case 2:
      return "(" + a + ") / " + number();
    case 3:
      return "(" + a + ") % (1 + abs(" + whole(depth - 1) + "))";
    case 4:
      return "min(" + a + ", 3 - " + number() + ")";
    default:
      return "(" + a + ") % -" + number();
    }
  }

  std::string wholeLeaf() {
    constexpr std::array<std::string_view, 5> kLeaves = {"h", "t", "width[t]", "q", "k"};
    return std::string(kLeaves[static_cast<std::size_t>(below(withPositions ? 5 : 3))]);
  }

  std::string condition(int depth) {
    constexpr std::array<std::string_view, 6> kRelations = {"<", "<=", ">", ">=", "==", "!="};
    const auto relation = std::string(kRelations[static_cast<std::size_t>(below(6))]);
    if (depth <= 1 || below(2))
      return whole(1) + " " + relation + " " + whole(1);
    const std::string a = condition(depth - 1);
    switch (below(3)) {
    case 0:
      return "!(" + a + ")";
    case 1:
      return "(" + a + " && " + condition(depth - 1) + ")";
    default:
      return "(" + a + " || " + condition(depth - 1) + ")";
    }
  }

  std::mt19937_64& random;
  bool withPositions;
};

} // namespace

std::string randomRuleLines(std::mt19937_64& random, bool withPositions) {
  return RuleText(random, withPositions).lines();
}

} // namespace mlac::test
