// Probes of mlac/ptx/warp.cuh and redux.cuh.
#include "tests/simt/wrappers/ProbeParts.h"

#include <array>

namespace mlac::probes {
namespace {

constexpr int kThreads = 128;

/// One word in, one word out a thread.
constexpr ProbeRow laneRow(std::string_view name,
                           std::string_view header,
                           decltype(Probe::draw) draw,
                           std::string_view body) {
  return {.name = name,
          .header = header,
          .threads = kThreads,
          .ctas = 2,
          .inWords = 2 * kThreads,
          .outWords = 2 * kThreads,
          .draw = draw,
          .body = body};
}

constexpr auto kWarpProbes = std::to_array<ProbeRow>({
    {.name = "shuffle_xor",
     .header = "warp",
     .threads = kThreads,
     .inWords = 2 * kThreads,
     .outWords = 2 * kThreads,
     .body = R"(
  const float x = __uint_as_float(in[thread]);
  // One mask for the warp, then one for each lane, which may read from any other.
  out[thread] = __float_as_uint(shuffleXor(x, 1 << (warp + 1)));
  out[kThreads + thread] = __float_as_uint(shuffleXor(x, static_cast<i32>(in[kThreads + thread] % 32)));
)"},
    {.name = "shuffle_from_u32",
     .header = "warp",
     .threads = kThreads,
     .inWords = 2 * kThreads,
     .outWords = 2 * kThreads,
     .body = R"(
  // Lane numbers count modulo 32.
  out[thread] = shuffleFrom(in[thread], static_cast<i32>(in[kThreads + thread]));
  out[kThreads + thread] = shuffleFrom(in[thread], 5 + static_cast<i32>(warp));
)"},
    {.name = "shuffle_from_i64",
     .header = "warp",
     .threads = kThreads,
     .inWords = 3 * kThreads,
     .outWords = 2 * kThreads,
     .body =
         R"(
  const i64 x = static_cast<i64>(static_cast<u64>(in[thread]) << 32 | in[kThreads + thread]);
  const u64 got = static_cast<u64>(shuffleFrom(x, static_cast<i32>(in[2 * kThreads + thread] % 32)));
  out[thread] = static_cast<u32>(got >> 32);
  out[kThreads + thread] = static_cast<u32>(got);
)"},
    {.name = "shuffle_up",
     .header = "warp",
     .threads = kThreads,
     .inWords = 2 * kThreads,
     .outWords = 3 * kThreads,
     .body = R"(
  out[thread] = shuffleUp(in[thread], static_cast<i32>(warp) * 5);
  out[kThreads + thread] = shuffleUp(in[thread], 31);
  out[2 * kThreads + thread] = shuffleUp(in[thread], static_cast<i32>(in[kThreads + thread] % 32));
)"},
    {.name = "shuffle_down",
     .header = "warp",
     .threads = kThreads,
     .inWords = 2 * kThreads,
     .outWords = 3 * kThreads,
     .body = R"(
  out[thread] = shuffleDown(in[thread], static_cast<i32>(warp) * 5);
  out[kThreads + thread] = shuffleDown(in[thread], 31);
  out[2 * kThreads + thread] = shuffleDown(in[thread], static_cast<i32>(in[kThreads + thread] % 32));
)"},
    laneRow("ballot", "warp", voteWords, R"(
  // NVRTC has a global ballot of its own.
  out[cell] = mlac::ballot((in[cell] & 1) != 0) + lane;
)"),
    laneRow("any_lane", "warp", voteWords, R"(
  out[cell] = anyLane((in[cell] & 1) != 0) ? 1 : 2;
)"),
    laneRow("all_lanes", "warp", voteWords, R"(
  out[cell] = allLanes((in[cell] & 1) != 0) ? 1 : 2;
)"),
    {.name = "elect_lane",
     .header = "warp",
     .threads = kThreads,
     .ctas = 2,
     .inWords = 2 * kThreads,
     .outWords = 2 * kThreads + 2 * kThreads / 32,
     .body =
         R"(
  // Which lane it is is not promised: only that it is one, the same again, and of this warp.
  const bool elected = electLane();
  const u32 votes = mlac::ballot(elected);
  const u32 again = mlac::ballot(electLane());
  out[cell] = __popc(votes) + (votes == again ? 0 : 100);
  const u32 warpInGrid = cell / 32;
  if (elected)
    out[2 * kThreads + warpInGrid] = in[warpInGrid * 32] + warpInGrid;
)"},
    {.name = "sync_warp",
     .header = "warp",
     .threads = kThreads,
     .smemBytes = kThreads * 4,
     .inWords = 4 * kThreads,
     .outWords = 4 * kThreads,
     .body = R"(
  u32* const words = reinterpret_cast<u32*>(smem) + warp * 32;
  for (u32 round = 0; round < 4; ++round) {
    words[lane] = in[round * kThreads + thread];
    syncWarp();
    out[round * kThreads + thread] = words[(lane * 7 + round) % 32];
    syncWarp();
  }
)"},
    {.name = "sync_cta",
     .header = "warp",
     .threads = kThreads,
     .smemBytes = kThreads * 4,
     .inWords = 4 * kThreads,
     .outWords = 4 * kThreads,
     .body = R"(
  u32* const words = reinterpret_cast<u32*>(smem);
  for (u32 round = 0; round < 4; ++round) {
    words[thread] = in[round * kThreads + thread];
    syncCta();
    out[round * kThreads + thread] = words[(thread * 37 + round) % kThreads];
    syncCta();
  }
)"},
    laneRow("reduce_add",
            "redux",
            anyWords,
            R"(
  out[cell] = static_cast<u32>(reduceAdd(static_cast<i32>(in[cell]))) + lane;
)"),
    laneRow("reduce_min",
            "redux",
            anyWords,
            R"(
  out[cell] = static_cast<u32>(reduceMin(static_cast<i32>(in[cell]))) + lane;
)"),
    laneRow("reduce_max",
            "redux",
            anyWords,
            R"(
  out[cell] = static_cast<u32>(reduceMax(static_cast<i32>(in[cell]))) + lane;
)"),
});

} // namespace

std::span<const ProbeRow> warpProbes() {
  return kWarpProbes;
}

} // namespace mlac::probes
