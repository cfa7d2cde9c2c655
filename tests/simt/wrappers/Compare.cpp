#include "tests/simt/wrappers/Compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

namespace mlac::probes {
namespace {

constexpr double kBound = 0x1p-22; ///< of every rule that has one
constexpr double kBreaks = std::numeric_limits<double>::infinity();
constexpr double kSmallestNormal = 0x1p-126;
constexpr double kPastLargest = 0x1p128;

float floatOf(std::uint32_t word) {
  return std::bit_cast<float>(word);
}

/// Error of `got` as a part of what is allowed; kBreaks where no error is allowed.
double exactly(float wanted, float got) {
  if (std::isnan(wanted))
    return std::isnan(got) ? 0 : kBreaks;
  return std::bit_cast<std::uint32_t>(wanted) == std::bit_cast<std::uint32_t>(got) ? 0 : kBreaks;
}

double within(double allowed, double exact, float got) {
  return std::isfinite(got) ? std::abs(double{got} - exact) / allowed : kBreaks;
}

double exp2Error(float x, float got) {
  const double flushed = std::abs(double{x}) < kSmallestNormal ? 0.0 : double{x};
  const double exact = std::exp2(flushed);
  if (flushed == 0 || std::isnan(x))
    return exactly(static_cast<float>(exact), got);
  if (exact < kSmallestNormal)
    return exactly(0.0F, got);
  if (exact >= kPastLargest)
    return exactly(INFINITY, got);
  return within(kBound * exact, exact, got);
}

double log2Error(float x, float got) {
  const double exact = std::log2(double{x});
  if (!std::isfinite(exact) || exact == 0)
    return exactly(static_cast<float>(exact), got);
  const bool besideOne = x > 0.5F && x < 2.0F;
  return within(besideOne ? kBound : kBound * std::abs(exact), exact, got);
}

double errorOf(
    const Probe& probe, const Words& input, const Words& gpu, const Words& simt, std::size_t i) {
  switch (probe.rule) {
  case Rule::BitEqual:
    return gpu[i] == simt[i] ? 0 : kBreaks;
  case Rule::Exp2:
    return std::max(exp2Error(floatOf(input[i]), floatOf(gpu[i])),
                    exp2Error(floatOf(input[i]), floatOf(simt[i])));
  case Rule::Log2:
    return std::max(log2Error(floatOf(input[i]), floatOf(gpu[i])),
                    log2Error(floatOf(input[i]), floatOf(simt[i])));
  }
  return kBreaks;
}

std::string wordText(const Probe& probe, std::uint32_t word) {
  return probe.rule == Rule::BitEqual ? fmt::format("{:08x}", word)
                                      : fmt::format("{:08x} ({})", word, floatOf(word));
}

} // namespace

Comparison compare(const Probe& probe, const Words& input, const Words& gpu, const Words& simt) {
  assert(gpu.size() == probe.outWords && simt.size() == probe.outWords);
  Comparison result;
  for (std::size_t i = 0; i < probe.outWords; ++i) {
    const double error = errorOf(probe, input, gpu, simt, i);
    result.worst = std::max(result.worst, error);
    if (error <= 1)
      continue;
    if (result.wrong++ == 0)
      result.first = fmt::format("{}, word {}: the GPU wrote {}, SIMT {}; {} times what is allowed",
                                 probe.name,
                                 i,
                                 wordText(probe, gpu[i]),
                                 wordText(probe, simt[i]),
                                 error);
  }
  return result;
}

} // namespace mlac::probes
