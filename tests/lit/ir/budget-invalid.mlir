// RUN: %mlac_opt -split-input-file -verify-diagnostics -mla-plan-schedules -mla-verify-budget %s

// expected-error-re @below {{the 'few' schedule does not fit sm_120: {{[0-9]+}} bytes of shared memory per CTA {{.*}} the limit is 101376; set fewer stages}}
module attributes {mla.target = "sm_120", mla.set = ["stages=64"]} {
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

}

// -----

// A schedule that was written by hand is held against the target as well.
// expected-error @below {{does not fit sm_120}}
module attributes {mla.target = "sm_120"} {
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
  schedule <shape_class = "hand", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1>
}
