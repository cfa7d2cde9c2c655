// RUN: %mlac_opt -mla-build-tiles %s | FileCheck %s
// RUN: %mlac_opt -mla-build-tiles %s | %mlac_opt -canonicalize -cse -mla-build-tiles | FileCheck %s
// A program survives being printed and parsed, and no clean-up pass takes a step from it.

mla.attention @sparse
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_physical topk 2048 queries 1 to 1 scale 0.0625 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %none = arith.constant -1 : i32
  %slot = arith.extsi %entry : i32 to i64
  %valid = arith.cmpi ult, %slot, %slotCount : i64
  mla.yield %none, %slot, %valid : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %true = arith.constant true
  mla.yield %true : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %s : f32
}

// CHECK-LABEL: mla.kernel @many implements @sparse
// CHECK-NEXT:    schedule<shape_class = "many", {{.*}}>
// CHECK-NEXT:    %[[RING:.*]] = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
// CHECK-NEXT:    %[[Q:.*]] = mla.load_queries home registers
// CHECK-NEXT:    mla.fill %[[RING]] ahead 10
// CHECK-NEXT:    %[[INIT:.*]] = mla.init
// CHECK-NEXT:    %[[ACC:.*]] = mla.tiles(%[[TILE:.*]], %[[A:.*]] = %[[INIT]]) of %[[RING]] slices 8 {
// CHECK-NEXT:      %[[ROWS:.*]] = mla.resolve %[[TILE]] ahead 10
// CHECK-NEXT:      %[[STAGE:.*]] = mla.wait %[[RING]], %[[TILE]]
// CHECK-NEXT:      %[[S:.*]] = mla.qk %[[Q]], %[[STAGE]]
// CHECK-NEXT:      %[[M:.*]] = mla.mask %[[S]], %[[STAGE]]
// CHECK-NEXT:      %[[P:.*]], %[[A1:.*]] = mla.softmax %[[M]], %[[A]]
// CHECK-NEXT:      %[[A2:.*]] = mla.pv %[[P]], %[[STAGE]], %[[A1]]
// CHECK-NEXT:      %[[FREE:.*]] = mla.release %[[STAGE]]
// CHECK-NEXT:      mla.refill %[[RING]], %[[FREE]], %[[ROWS]]
// CHECK-NEXT:      mla.yield %[[A2]] : !mla.acc
// CHECK-NEXT:    }
// CHECK-NEXT:    %[[ALL:.*]] = mla.merge %[[ACC]] passes 4
// CHECK-NEXT:    mla.store %[[ALL]]
// CHECK-NEXT:  }
mla.kernel @many implements @sparse
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1>

// One slice: parity is enough, and nothing is merged. Queries on their way to shared memory are
// waited for, so the first copies set out before.
// CHECK-LABEL: mla.kernel @few implements @sparse
// CHECK:         mla.ring stages 4 {{.*}} gather cp_async
// CHECK-NEXT:    mla.fill
// CHECK-NEXT:    mla.load_queries home shared
// CHECK:         mla.wait %{{.*}}, %tile{{$}}
// CHECK-NOT:     mla.sum_shares
// CHECK-NOT:     mla.merge
// CHECK:         mla.store
mla.kernel @few implements @sparse
  schedule <shape_class = "few", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 1, stages = 4, keys_per_stage = 16, gather = cp_async, row_reuse = l2, query_home = shared, merge_passes = 1, qk_chains = 1, ctas_per_sm = 1>

// Warps that divide the dims add up their shares before anything else is made of them.
// CHECK-LABEL: mla.kernel @divided implements @sparse
// CHECK-NEXT:    schedule<{{.*}} head_tiles = 2, dim_splits = 2, {{.*}} row_reuse = none, {{.*}}>
// CHECK:           %[[S:.*]] = mla.qk %{{.*}}, %[[STAGE:.*]]
// CHECK-NEXT:      %[[SUM:.*]] = mla.sum_shares %[[S]]
// CHECK-NEXT:      %[[M:.*]] = mla.mask %[[SUM]], %[[STAGE]]
// CHECK-NEXT:      mla.softmax %[[M]]
mla.kernel @divided implements @sparse
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 2, dim_splits = 2, key_slices = 2, stages = 4, keys_per_stage = 16, gather = bulk, row_reuse = none, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1>

mla.attention @capped
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_physical topk 2048 queries 1 to 1 scale 0.0625 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %none = arith.constant -1 : i32
  %slot = arith.extsi %entry : i32 to i64
  %valid = arith.cmpi ult, %slot, %slotCount : i64
  mla.yield %none, %slot, %valid : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %true = arith.constant true
  mla.yield %true : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  %capped = math.tanh %s : f32
  mla.yield %capped : f32
}

// The score comes before the mask.
// CHECK-LABEL: mla.kernel @capped_few implements @capped
// CHECK:           %[[S:.*]] = mla.qk
// CHECK-NEXT:      %[[C:.*]] = mla.score %[[S]], %[[STAGE:.*]]
// CHECK-NEXT:      mla.mask %[[C]], %[[STAGE]]
mla.kernel @capped_few implements @capped
  schedule <shape_class = "few", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 1, stages = 4, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 1, qk_chains = 1, ctas_per_sm = 1>

// CHECK-LABEL: mla.kernel @capped_divided implements @capped
// CHECK:           %[[S:.*]] = mla.qk
// CHECK-NEXT:      %[[SUM:.*]] = mla.sum_shares %[[S]]
// CHECK-NEXT:      %[[C:.*]] = mla.score %[[SUM]], %[[STAGE:.*]]
// CHECK-NEXT:      mla.mask %[[C]], %[[STAGE]]
mla.kernel @capped_divided implements @capped
  schedule <shape_class = "few", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 4, key_slices = 1, stages = 4, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 1, qk_chains = 1, ctas_per_sm = 1>
