// RUN: %mlac_opt -canonicalize -mla-plan-schedules -mla-build-tiles -mla-verify-budget %s | FileCheck %s
// The whole table, from an attention and a target to kernels that fit it.

// CHECK:       mla.attention @sparse
// CHECK:       mla.kernel @sparse_few implements @sparse
// CHECK:         mla.ring stages
// CHECK:         mla.sum_shares
// CHECK:         mla.store
// CHECK:       mla.kernel @sparse_many implements @sparse
// CHECK:         mla.ring stages 3 keys 16 row_bytes 1152 stride_bytes 1168 barriers 12 gather bulk
// CHECK:         mla.store
module attributes {mla.target = "sm_120", mla.set = ["many.stages=3"]} {
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
