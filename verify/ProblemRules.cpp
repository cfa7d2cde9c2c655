#include "verify/ProblemParts.h"
#include "verify/Random.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace mlac::verify {

namespace {

// Parameters divide, are divided, and stand under roots and logarithms: none is near 0.
constexpr float kLeastReal = 0.5F;
constexpr float kMostReal = 2.0F;
constexpr std::int64_t kMostWhole = 64;

double drawValue(const RuleParam& param, Random& random) {
  if (param.type == ExprType::I32)
    return static_cast<double>(random.between(1, kMostWhole));
  constexpr std::int64_t kSteps = 1 << 16;
  const auto part = static_cast<float>(random.below(kSteps)) / kSteps;
  return kLeastReal + (kMostReal - kLeastReal) * part;
}

template <typename T>
void append(std::vector<std::byte>& bytes, T value) {
  const auto* begin = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), begin, begin + sizeof(T));
}

const GivenParam* findGiven(const Problem& problem, const std::string& name) {
  const auto& given = problem.options.params;
  const auto found = std::find_if(
      given.begin(), given.end(), [&](const GivenParam& one) { return one.name == name; });
  return found == given.end() ? nullptr : &*found;
}

/// Every value asked for must belong to a parameter that the launch passes.
Status checkGiven(const Problem& problem) {
  for (const GivenParam& given : problem.options.params) {
    const auto& params = problem.variant.params;
    const auto found = std::find_if(params.begin(), params.end(), [&](const RuleParam& param) {
      return param.name == given.name && param.isArgument();
    });
    if (found == params.end())
      return Error{ErrorCode::InvalidArgument,
                   fmt::format("'{}' has no parameter `{}` that a launch passes",
                               problem.variant.name,
                               given.name)};
    MLAC_CHECK(checkParamValue(*found, given.value));
  }
  return Unit{};
}

void drawArray(Problem& problem, std::size_t index, Random& random) {
  const RuleParam& param = problem.variant.params[index];
  const GivenParam* given = findGiven(problem, param.name);
  const int count = param.kind == ParamKind::PerHead ? problem.variant.heads : problem.tokens;
  for (int i = 0; i < count; ++i) {
    const double value = given != nullptr ? given->value : drawValue(param, random);
    if (param.type == ExprType::F32)
      append(problem.paramArrays[index], static_cast<float>(value));
    else
      append(problem.paramArrays[index], static_cast<std::int32_t>(value));
  }
}

void drawScalar(Problem& problem, std::size_t index, Random& random) {
  const RuleParam& param = problem.variant.params[index];
  const GivenParam* given = findGiven(problem, param.name);
  const double value = param.value        ? *param.value
                       : given != nullptr ? given->value
                                          : drawValue(param, random);
  problem.paramValues[index] =
      param.type == ExprType::F32 ? static_cast<double>(static_cast<float>(value)) : value;
}

void drawSinks(Problem& problem) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  Random random(problem.options.seed, kStreamRules + 100);
  for (int head = 0; head < problem.variant.heads; ++head) {
    const float drawn = random.normal();
    const bool isInfinite = problem.options.infiniteSinks && head % 4 >= 2;
    append(problem.inputs[static_cast<int>(Input::Sinks)],
           !isInfinite     ? drawn
           : head % 4 == 2 ? kInfinity
                           : -kInfinity);
  }
}

} // namespace

Status drawRules(Problem& problem) {
  const std::size_t count = problem.variant.params.size();
  problem.paramValues.assign(count, 0);
  problem.paramArrays.assign(count, {});
  MLAC_CHECK(checkGiven(problem));
  for (std::size_t index = 0; index < count; ++index) {
    Random random(problem.options.seed, kStreamRules + index);
    if (problem.variant.params[index].kind == ParamKind::Scalar)
      drawScalar(problem, index, random);
    else
      drawArray(problem, index, random);
  }
  if (problem.variant.sink)
    drawSinks(problem);
  return Unit{};
}

} // namespace mlac::verify
