// After the whole lowering only the LLVM dialect is left, and half conversions do not come back.
// RUN: %mlac_opt %s -mla-lower-to-loops -mla-lower-to-llvm | FileCheck %s

// CHECK-NOT: {{(arith|math|scf|cf|func|mla|builtin)\.[a-z]}}
// CHECK-LABEL: llvm.func @small_cpu(
// CHECK-NOT: {{(arith|math|scf|cf|func|mla)\.[a-z]}}
// CHECK-NOT: unrealized_conversion_cast
// CHECK-NOT: llvm.fpext
// CHECK-NOT: llvm.fptrunc
// CHECK: llvm.fmul {{.*}} {fastmathFlags = #llvm.fastmath<contract, reassoc>}
// CHECK: llvm.intr.exp
// CHECK: llvm.intr.log
// CHECK: llvm.return
mla.attention @small
    heads 1 latent 16 rope 0 value latent query bf16 output f16
    cache !mla.record<latent bf16 x 16> page 64
    iterate topk_physical topk 7 queries 1 to 1
    lse natural
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  %c0 = arith.constant 0 : i32
  mla.yield %c0, %c0 : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %slot = arith.extsi %entry : i32 to i64
  %zero = arith.constant 0 : i64
  %valid = arith.cmpi sge, %slot, %zero : i64
  %k = arith.constant -1 : i32
  mla.yield %k, %slot, %valid : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %keep = arith.constant true
  mla.yield %keep : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %s : f32
}
