// Probes of mlac/ptx/convert.cuh and exponent.cuh.
#include "tests/simt/wrappers/ProbeParts.h"

#include <array>

namespace mlac::probes {
namespace {

constexpr int kThreads = 256;
constexpr int kCtas = 4;
constexpr int kCells = kThreads * kCtas;

constexpr ProbeRow
packRow(std::string_view name, decltype(Probe::draw) draw, std::string_view body) {
  return {.name = name,
          .header = "convert",
          .threads = kThreads,
          .ctas = kCtas,
          .inWords = 2 * kCells,
          .outWords = kCells,
          .draw = draw,
          .body = body};
}

constexpr ProbeRow
exponentRow(std::string_view name, decltype(Probe::draw) draw, Rule rule, std::string_view body) {
  return {.name = name,
          .header = "exponent",
          .threads = kThreads,
          .ctas = kCtas,
          .inWords = kCells,
          .outWords = kCells,
          .draw = draw,
          .rule = rule,
          .body = body};
}

constexpr auto kNumberProbes = std::to_array<ProbeRow>({
    packRow("pack_bf16", bf16Inputs, R"(
  const float low = __uint_as_float(in[2 * cell]);
  const float high = __uint_as_float(in[2 * cell + 1]);
  out[cell] = packBf16(low, high);
)"),
    packRow("pack_f16", f16Inputs, R"(
  const float low = __uint_as_float(in[2 * cell]);
  const float high = __uint_as_float(in[2 * cell + 1]);
  out[cell] = packF16(low, high);
)"),
    exponentRow("exp2_approx",
                exp2Inputs,
                Rule::Exp2,
                R"(
  out[cell] = __float_as_uint(exp2Approx(__uint_as_float(in[cell])));
)"),
    exponentRow("log2_approx",
                log2Inputs,
                Rule::Log2,
                R"(
  out[cell] = __float_as_uint(log2Approx(__uint_as_float(in[cell])));
)"),
});

} // namespace

std::span<const ProbeRow> numberProbes() {
  return kNumberProbes;
}

} // namespace mlac::probes
