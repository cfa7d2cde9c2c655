// Reads rows of a cache in pieces of 16 bytes, as many at once as a thread has registers for, and
// does nothing else with them. NVRTC is told kPieces, the pieces of a row.

constexpr unsigned kLoads = 8; // in flight, a thread

// Around L1, where nothing is read twice.
__device__ inline uint4 loadOnce(const uint4* from) {
  uint4 piece;
  asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(piece.x), "=r"(piece.y), "=r"(piece.z), "=r"(piece.w)
               : "l"(from));
  return piece;
}

// As in Ceiling.cpp.
struct GatherArgs {
  const uint4* base;
  const unsigned* starts; // a row's distance from `base`, in pieces
  unsigned* sum;          // the xor of all loads goes here; null: nowhere
  unsigned rows;
};

extern "C" __global__ void __launch_bounds__(256) gatherRows(const GatherArgs args) {
  const unsigned total = args.rows * kPieces;
  const unsigned threads = gridDim.x * blockDim.x;
  unsigned mixed = 0;
  for (unsigned first = blockIdx.x * blockDim.x + threadIdx.x; first < total;
       first += kLoads * threads) {
    uint4 pieces[kLoads];
#pragma unroll
    for (unsigned load = 0; load < kLoads; ++load) {
      const unsigned at = first + load * threads;
      pieces[load] = make_uint4(0, 0, 0, 0);
      if (at < total) {
        const unsigned row = at / kPieces;
        pieces[load] = loadOnce(args.base + __ldg(args.starts + row) + (at - row * kPieces));
      }
    }
#pragma unroll
    for (unsigned load = 0; load < kLoads; ++load)
      mixed ^= pieces[load].x ^ pieces[load].y ^ pieces[load].z ^ pieces[load].w;
  }
  if (args.sum != nullptr)
    atomicXor(args.sum, mixed);
}
