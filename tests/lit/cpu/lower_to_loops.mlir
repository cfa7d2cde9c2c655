// The four regions of an attention appear, inlined, where their rules apply; the tables are read by their names'
// offsets; nothing of the `mla` dialect is left.
// RUN: %mlac_opt %s -mla-lower-to-loops -canonicalize -split-input-file | FileCheck %s

// CHECK-NOT: mla.
// CHECK-LABEL: func.func @capped_cpu(
// CHECK-SAME: %[[ARGS:.*]]: !llvm.ptr, %[[SCRATCH:.*]]: !llvm.ptr, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64)
// CHECK: scf.for %[[T:.*]] = %[[FIRST]] to %[[LAST]]

// The interval, for a request that exists only.
// CHECK: %[[KNOWN:.*]] = arith.cmpi ult, %[[REQUEST:.*]]#0, %{{.*}} : i64
// CHECK: scf.if %[[KNOWN]]
// CHECK: arith.addi %{{.*}}, %c77_i32

// The slot map, with mla.lookup as a guarded load, and -1 outside the table.
// CHECK: arith.divui %[[ENTRY:.*]], %c48_i32
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult
// CHECK: %[[BLOCK:.*]] = scf.if %[[INSIDE]] -> (i32)
// CHECK-NEXT: llvm.getelementptr
// CHECK-NEXT: llvm.load
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } else {
// CHECK-NEXT: scf.yield %c-1_i32

// Score and mask after the dot product and the scale; a masked score is -inf.
// CHECK: arith.mulf {{.*}} fastmath<reassoc,contract>
// CHECK: arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %{{.*}} : f32
// CHECK: %[[CAPPED:.*]] = math.tanh %[[SCALED]]
// CHECK: %[[KEEP:.*]] = arith.cmpi sle, %{{.*}}, %{{.*}} : i32
// CHECK: arith.select %[[KEEP]], %[[CAPPED]], %{{.*}} : f32
// CHECK: arith.maximumf

// The second pass weighs values, and leaves masked entries out.
// CHECK: arith.cmpf une
// CHECK: math.exp
// CHECK: arith.truncf {{.*}} : f32 to f16
// CHECK: math.log2
mla.attention @capped
    heads 4 latent 32 rope 16 value record query bf16 output f16
    cache !mla.record<latent bf16 x 32, rope bf16 x 16> page 48
    iterate dense queries 1 to 1
    scale 2.500000e-01 lse base2
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  %begin = arith.constant 0 : i32
  %extra = arith.constant 77 : i32
  %end = arith.addi %seqLen, %extra : i32
  mla.yield %begin, %end : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %page = arith.constant 48 : i32
  %index = arith.divui %entry, %page : i32
  %inPage = arith.remui %entry, %page : i32
  %block = mla.lookup %table[%index]
  %wideBlock = arith.extsi %block : i32 to i64
  %widePage = arith.constant 48 : i64
  %base = arith.muli %wideBlock, %widePage : i64
  %wideInPage = arith.extui %inPage : i32 to i64
  %slot = arith.addi %base, %wideInPage : i64
  %zero = arith.constant 0 : i32
  %valid = arith.cmpi sge, %block, %zero : i32
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

// -----

// With physical indices no request is looked up and no interval is read.
// CHECK-LABEL: func.func @physical_cpu(
// CHECK-NOT: divui %{{.*}}, %{{.*}} : i64
// CHECK: scf.for %[[T:.*]] = %{{.*}} to %{{.*}} step
// CHECK: iter_args
// CHECK: %[[INDEX:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i32
// CHECK-NEXT: %[[SLOT:.*]] = arith.extsi %[[INDEX]] : i32 to i64
// CHECK: arith.cmpi sge, %[[SLOT]], %c0_i64
// CHECK: arith.cmpi slt, %[[SLOT]]
// CHECK: arith.divui %[[SLOT]], %c64_i64
mla.attention @physical
    heads 1 latent 16 rope 0 value latent query f16 output f32
    cache !mla.record<latent f16 x 16> page 64
    iterate topk_physical topk 7 queries 1 to 1
    lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  %c0 = arith.constant 0 : i32
  %max = arith.constant 2147483647 : i32
  mla.yield %c0, %max : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %slot = arith.extsi %entry : i32 to i64
  %zero = arith.constant 0 : i64
  %notNegative = arith.cmpi sge, %slot, %zero : i64
  %inside = arith.cmpi slt, %slot, %slotCount : i64
  %valid = arith.andi %notNegative, %inside : i1
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
