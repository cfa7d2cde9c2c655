#include "verify/Outputs.h"

#include <fmt/format.h>

namespace mlac::verify {

namespace {

/// Marks the bytes of `view` that belong to elements.
std::vector<bool> elementMap(const Problem& problem, const OutputView& view) {
  std::vector<bool> isElement(view.bytes, false);
  const std::int64_t rowBytes = view.dims * std::int64_t{elementBytes(view.type)};
  for (int t = 0; t < problem.tokens; ++t)
    for (int h = 0; h < problem.variant.heads; ++h) {
      const auto first = isElement.begin() + view.byteAt(t, h, 0);
      std::fill(first, first + rowBytes, true);
    }
  return isElement;
}

void inspect(const Problem& problem,
             const char* name,
             const OutputView& view,
             const std::vector<std::byte>& buffer,
             GuardDamage& damage) {
  if (!view.present())
    return;
  const std::vector<bool> isElement = elementMap(problem, view);
  for (std::size_t i = 0; i < buffer.size(); ++i) {
    if (isElement[i] || buffer[i] == kFillByte)
      continue;
    if (damage.bytes++ == 0)
      damage.where = fmt::format("{} buffer, byte {} of {}", name, i, buffer.size());
  }
}

} // namespace

Outputs freshOutputs(const Problem& problem) {
  const auto fresh = [](const OutputView& view) {
    return std::vector<std::byte>(view.bytes, kFillByte);
  };
  return {
      .out = fresh(problem.out), .lse = fresh(problem.lse), .maxLogit = fresh(problem.maxLogit)};
}

GuardDamage findGuardDamage(const Problem& problem, const Outputs& outputs) {
  GuardDamage damage;
  inspect(problem, "out", problem.out, outputs.out, damage);
  inspect(problem, "lse", problem.lse, outputs.lse, damage);
  inspect(problem, "maxLogit", problem.maxLogit, outputs.maxLogit, damage);
  return damage;
}

} // namespace mlac::verify
