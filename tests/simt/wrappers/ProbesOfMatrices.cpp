// Probes of mlac/ptx/matrix.cuh and mma.cuh.
#include "tests/simt/wrappers/ProbeParts.h"

#include <array>

namespace mlac::probes {
namespace {

constexpr int kThreads = 128;
constexpr int kRowBytes = 16; ///< of an 8x8 matrix of 16-bit elements

/// A warp's 32 rows lie in shared memory; each lane names one, in an order that mixes matrices.
constexpr ProbeRow loadRow(std::string_view name, int matrices, std::string_view body) {
  return {.name = name,
          .header = "matrix",
          .threads = kThreads,
          .smemBytes = kThreads * kRowBytes,
          .inWords = kThreads * 4,
          .outWords = kThreads * matrices,
          .body = body};
}

/// Each lane holds four words; what they are in shared memory afterwards is written out.
constexpr ProbeRow storeRow(std::string_view name, std::string_view body) {
  return {.name = name,
          .header = "matrix",
          .threads = kThreads,
          .smemBytes = kThreads * kRowBytes,
          .inWords = kThreads * 4,
          .outWords = kThreads * 4,
          .body = body};
}

constexpr int kProductWarps = 8;

constexpr std::string_view kProduct = R"(
  const u32* const a = in + warp * 320;
  const u32* const b = a + 128;
  const u32* const c = b + 64;
  // Fragments as PTX lays them out: groups of four lanes hold a row of A, a column of B.
  const u32 row = lane / 4;
  const u32 pair = lane % 4;
  const u32 aWords[4] = {a[row * 8 + pair],
                         a[(row + 8) * 8 + pair],
                         a[row * 8 + pair + 4],
                         a[(row + 8) * 8 + pair + 4]};
  const u32 upper = row * 8 + pair * 2;
  const u32 lower = upper + 64;
  float d[4] = {__uint_as_float(c[upper]),
                __uint_as_float(c[upper + 1]),
                __uint_as_float(c[lower]),
                __uint_as_float(c[lower + 1])};
  CALLEE(d, aWords, b[row * 8 + pair], b[row * 8 + pair + 4]);
  u32* const sums = out + warp * 128;
  sums[upper] = __float_as_uint(d[0]);
  sums[upper + 1] = __float_as_uint(d[1]);
  sums[lower] = __float_as_uint(d[2]);
  sums[lower + 1] = __float_as_uint(d[3]);
)";

/// A warp multiplies one pair of matrices and writes its sums by rows.
constexpr ProbeRow
productRow(std::string_view name, decltype(Probe::draw) draw, std::string_view callee) {
  return {.name = name,
          .header = "mma",
          .threads = kProductWarps * 32,
          .inWords = kProductWarps * kMmaInWords,
          .outWords = kProductWarps * kMmaCWords,
          .draw = draw,
          .callee = callee,
          .body = kProduct};
}

constexpr auto kMatrixProbes = std::to_array<ProbeRow>({
    loadRow("load_matrix4", 4, R"(
  const u32 base = sharedAddress(smem) + warp * 512;
  storeSharedWord4(
      base + lane * 16,
      {in[thread * 4], in[thread * 4 + 1], in[thread * 4 + 2], in[thread * 4 + 3]});
  syncWarp();
  u32 m[4];
  loadMatrix4(m, base + (lane * 5 + 3) % 32 * 16);
  out[thread] = m[0];
  out[kThreads + thread] = m[1];
  out[2 * kThreads + thread] = m[2];
  out[3 * kThreads + thread] = m[3];
)"),
    loadRow("load_matrix4_transposed", 4, R"(
  const u32 base = sharedAddress(smem) + warp * 512;
  storeSharedWord4(
      base + lane * 16,
      {in[thread * 4], in[thread * 4 + 1], in[thread * 4 + 2], in[thread * 4 + 3]});
  syncWarp();
  u32 m[4];
  loadMatrix4Transposed(m, base + (lane * 5 + 3) % 32 * 16);
  out[thread] = m[0];
  out[kThreads + thread] = m[1];
  out[2 * kThreads + thread] = m[2];
  out[3 * kThreads + thread] = m[3];
)"),
    loadRow("load_matrix2", 2, R"(
  const u32 base = sharedAddress(smem) + warp * 512;
  storeSharedWord4(
      base + lane * 16,
      {in[thread * 4], in[thread * 4 + 1], in[thread * 4 + 2], in[thread * 4 + 3]});
  syncWarp();
  u32 m[2];
  loadMatrix2(m, base + (lane * 5 + 3) % 32 * 16);
  out[thread] = m[0];
  out[kThreads + thread] = m[1];
)"),
    loadRow("load_matrix2_transposed", 2, R"(
  const u32 base = sharedAddress(smem) + warp * 512;
  storeSharedWord4(
      base + lane * 16,
      {in[thread * 4], in[thread * 4 + 1], in[thread * 4 + 2], in[thread * 4 + 3]});
  syncWarp();
  u32 m[2];
  loadMatrix2Transposed(m, base + (lane * 5 + 3) % 32 * 16);
  out[thread] = m[0];
  out[kThreads + thread] = m[1];
)"),
    storeRow("store_matrix4", R"(
  const u32 base = sharedAddress(smem) + warp * 512;
  const u32 m[4] = {in[thread], in[kThreads + thread], in[2 * kThreads + thread], in[3 * kThreads + thread]};
  storeMatrix4(base + (lane * 5 + 3) % 32 * 16, m);
  syncWarp();
  const Word4 row = loadSharedWord4(base + lane * 16);
  out[thread * 4] = row.x;
  out[thread * 4 + 1] = row.y;
  out[thread * 4 + 2] = row.z;
  out[thread * 4 + 3] = row.w;
)"),
    storeRow("store_matrix4_transposed", R"(
  const u32 base = sharedAddress(smem) + warp * 512;
  const u32 m[4] = {in[thread], in[kThreads + thread], in[2 * kThreads + thread], in[3 * kThreads + thread]};
  storeMatrix4Transposed(base + (lane * 5 + 3) % 32 * 16, m);
  syncWarp();
  const Word4 row = loadSharedWord4(base + lane * 16);
  out[thread * 4] = row.x;
  out[thread * 4 + 1] = row.y;
  out[thread * 4 + 2] = row.z;
  out[thread * 4 + 3] = row.w;
)"),
    {.name = "transpose_matrix",
     .header = "matrix",
     .threads = kThreads,
     .inWords = kThreads,
     .outWords = kThreads,
     .body = R"(
  out[thread] = transposeMatrix(in[thread]);
)"},
});

constexpr auto kProductProbes = std::to_array<ProbeRow>({
    productRow("mma_bf16_normal", mmaBf16Normal, "mmaBf16"),
    productRow("mma_bf16_spread", mmaBf16Spread, "mmaBf16"),
    productRow("mma_bf16_subnormal", mmaBf16Subnormal, "mmaBf16"),
    productRow("mma_bf16_tiny", mmaBf16Tiny, "mmaBf16"),
    productRow("mma_bf16_special", mmaBf16Special, "mmaBf16"),
    productRow("mma_f16_normal", mmaF16Normal, "mmaF16"),
    productRow("mma_f16_spread", mmaF16Spread, "mmaF16"),
    productRow("mma_f16_subnormal", mmaF16Subnormal, "mmaF16"),
    productRow("mma_f16_special", mmaF16Special, "mmaF16"),
});

} // namespace

std::span<const ProbeRow> matrixProbes() {
  return kMatrixProbes;
}

std::span<const ProbeRow> productProbes() {
  return kProductProbes;
}

} // namespace mlac::probes
