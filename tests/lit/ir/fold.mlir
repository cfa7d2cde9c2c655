// RUN: %mlac_opt -canonicalize %s | FileCheck %s

// CHECK-LABEL: mla.attention @folded
mla.attention @folded
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate dense queries 1 to 1 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
}
// A page below zero has no block; one past the row is known only when it is looked up.
// CHECK:       slots(
// CHECK-DAG:     %[[NONE:.*]] = arith.constant -1 : i64
// CHECK-DAG:     %[[PAGE:.*]] = arith.constant 7 : i32
// CHECK:         %[[BLOCK:.*]] = mla.lookup %table[%[[PAGE]]]
// CHECK:         mla.yield %[[BLOCK]], %[[NONE]], %{{.*}} : i32, i64, i1
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %three = arith.constant 3 : i32
  %seven = arith.constant 7 : i32
  %negative = arith.subi %three, %seven : i32
  %none = mla.lookup %table[%negative]
  %slot = arith.extsi %none : i32 to i64
  %block = mla.lookup %table[%seven]
  %true = arith.constant true
  mla.yield %block, %slot, %true : i32, i64, i1
}
// CHECK:       mask(
// CHECK-NEXT:    %[[TRUE:.*]] = arith.constant true
// CHECK-NEXT:    mla.yield %[[TRUE]] : i1
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %keep = arith.cmpi sle, %k, %k : i32
  mla.yield %keep : i1
}
// What nothing uses goes away.
// CHECK:       score(
// CHECK-NEXT:    mla.yield %s : f32
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  %unused = arith.addi %h, %q : i32
  mla.yield %s : f32
}
