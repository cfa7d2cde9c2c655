// RUN: %mlac_opt -split-input-file -verify-diagnostics %s

// expected-error @below {{implements @absent, which is no mla.attention in this module}}
mla.kernel @k implements @absent
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1>

// -----

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

mla.kernel @k implements @sparse
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  // expected-error @below {{has rows of 1024 bytes, but a record of "sparse" has 1152}}
  %ring = mla.ring stages 10 keys 16 row_bytes 1024 stride_bytes 1040 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

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

mla.kernel @k implements @sparse
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  // expected-error @below {{applies a score, but that of "sparse" is the identity}}
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %c = mla.score %s, %stage
    %m = mla.mask %c, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

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

mla.kernel @k implements @capped
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  // expected-error @below {{needs a mla.score, the score of "capped" is not the identity}}
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}
