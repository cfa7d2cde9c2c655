// RUN: %mlac_opt %s | %mlac_opt | FileCheck %s
// RUN: %mlac_opt -mlir-print-op-generic %s | %mlac_opt | FileCheck %s

// CHECK-LABEL: mla.attention @sparse
// CHECK-NEXT:    heads 8 latent 512 rope 64 value latent query bf16 output bf16
// CHECK-NEXT:    cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
// CHECK-NEXT:    iterate topk_logical topk 2048 queries 1 to 4 causal
// CHECK-NEXT:    scale 6.250000e-02 lse natural
// CHECK-NEXT:  interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
// CHECK:         mla.yield %{{.*}}, %{{.*}} : i32, i32
// CHECK:       slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
// CHECK:         %[[BLOCK:.*]] = mla.lookup %table[%{{.*}}]
// CHECK:         arith.extsi %[[BLOCK]] : i32 to i64
// CHECK:       mask(%h: i32, %q: i32, %k: i32, %t: i32) {
// CHECK:       score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
// CHECK:         math.tanh
mla.attention @sparse
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 4 causal
  scale 0.0625 lse natural
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  %zero = arith.constant 0 : i32
  %end = arith.select %hasKeyEnd, %keyEnd, %seqLen : i32
  mla.yield %zero, %end : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %size = arith.constant 64 : i32
  %page = arith.divui %entry, %size : i32
  %block = mla.lookup %table[%page]
  %slot = arith.extsi %block : i32 to i64
  %valid = arith.cmpi slt, %slot, %slotCount : i64
  mla.yield %entry, %slot, %valid : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %keep = arith.cmpi sle, %k, %q : i32
  mla.yield %keep : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  %capped = math.tanh %s : f32
  mla.yield %capped : f32
}

// CHECK-LABEL: mla.attention @everything
// CHECK-NEXT:    heads 128 latent 512 rope 0 value record query f16 output f32
// CHECK-NEXT:    cache !mla.record<latent f16 x 512> page 2304
// CHECK-NEXT:    iterate window window 513 queries 2 to 0
// CHECK-NEXT:    lse base2 empty_lse_positive max_logit attributes {note = "kept"}
mla.attention @everything
  heads 128 latent 512 rope 0 value record query f16 output f32
  cache !mla.record<latent f16 x 512> page 2304
  iterate window window 513 queries 2 to 0
  lse base2 empty_lse_positive max_logit attributes {note = "kept"}
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %keyEnd : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %true = arith.constant true
  mla.yield %entry, %slotCount, %true : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %true = arith.constant true
  mla.yield %true : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %s : f32
}

// CHECK-LABEL: mla.attention @ruled
// CHECK:         lse none sink
// CHECK-NEXT:    params [#mla.param_decl<"slope" : f32, per_head>, #mla.param_decl<"w" : i32, per_token>, #mla.param_decl<"gain" : f32, scalar>]
// CHECK:         mla.param "w"[%t] : i32
// CHECK:         mla.param "slope"[%h] : f32
// CHECK:         mla.param "gain" : f32
mla.attention @ruled
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate dense queries 1 to 1 lse none sink
  params [#mla.param_decl<"slope" : f32, per_head>, #mla.param_decl<"w" : i32, per_token>,
          #mla.param_decl<"gain" : f32, scalar>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %keyEnd : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %true = arith.constant true
  mla.yield %entry, %slotCount, %true : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %w = mla.param "w"[%t] : i32
  %keep = arith.cmpi slt, %k, %w : i32
  mla.yield %keep : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  %slope = mla.param "slope"[%h] : f32
  %gain = mla.param "gain" : f32
  %a = arith.mulf %s, %slope : f32
  %b = arith.mulf %a, %gain : f32
  mla.yield %b : f32
}
