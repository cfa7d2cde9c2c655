// RUN: %mlac_opt -split-input-file -verify-diagnostics %s

// expected-error @below {{`heads` must be 1..128, found 0}}
mla.attention @x
  heads 0 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`heads` must be 1..128, found 129}}
mla.attention @x
  heads 129 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`latent` must be a multiple of 16, at least 16, found 501}}
mla.attention @x
  heads 8 latent 501 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`rope` must be a multiple of 16, at least 0, found -16}}
mla.attention @x
  heads 8 latent 512 rope -16 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`page` must be 1..2304, found 2305}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 2305
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`query` must be bf16 or f16, found 'f32'}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query f32 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`output` must be bf16, f16 or f32, found 'f64'}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output f64
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`rope` is 32, but its cache record holds 64 such elements}}
mla.attention @x
  heads 8 latent 512 rope 32 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`latent` is 256, but its cache record holds 512 such elements}}
mla.attention @x
  heads 8 latent 256 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`topk` must be 1..65536, found 65537}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 65537 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`topk` must be 1..65536, found 0}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`topk` belongs to top-k iterations only}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate dense topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`window` must be 1..2147483647, found 0}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate window queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`window` belongs to `iterate window` only}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 window 7 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`queries` must be 1..2147483647, found 0}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 0 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`queries` ends at 2, below its start 3; 0 means any}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 3 to 2 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`causal` needs key positions, which physical indices do not give}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_physical topk 2048 queries 1 to 1 causal scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{`scale` must be finite}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 0x7F800000 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{interval region arguments must be ('i32', 'i32', 'i32', 'i1'), found ('i32', 'i32', 'i32')}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

// expected-error @below {{slots region results must be ('i32', 'i64', 'i1'), found ('i32', 'i32', 'i1')}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %true = arith.constant true
  mla.yield %entry, %entry, %true : i32, i32, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %true = arith.constant true
  mla.yield %true : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %s : f32
}

// -----

// expected-error @below {{mask region results must be ('i1'), found ('i32')}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %true = arith.constant true
  mla.yield %entry, %slotCount, %true : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %h : i32
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %s : f32
}

// -----

// expected-error @below {{score region results must be ('f32'), found ()}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  mla.yield
}

// -----

// expected-error @below {{the mask region uses the key position, which physical indices do not give; use topk_logical}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_physical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %true = arith.constant true
  mla.yield %entry, %slotCount, %true : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  %keep = arith.cmpi sle, %k, %q : i32
  mla.yield %keep : i1
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %s : f32
}

// -----

// expected-error @below {{the score region uses the key position, which physical indices do not give; use topk_logical}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_physical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  %at = arith.sitofp %k : i32 to f32
  mla.yield %at : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  // expected-error @below {{may not stand in the score region, which holds arith and math operations}}
  %call = func.call @f(%s) : (f32) -> f32
  mla.yield %call : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
}
slots(%entry: i32, %begin: i32, %end: i32, %slotCount: i64, %table: !mla.table) {
  %true = arith.constant true
  mla.yield %entry, %slotCount, %true : i32, i64, i1
}
mask(%h: i32, %q: i32, %k: i32, %t: i32) {
  // expected-error @below {{may not end the mask region, mla.yield does}}
  llvm.unreachable
}
score(%s: f32, %h: i32, %q: i32, %k: i32, %t: i32) {
  mla.yield %s : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [#mla.param_decl<"slope" : f32, per_head>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  // expected-error @below {{names "slop", which is no parameter of the attention}}
  %a = mla.param "slop"[%h] : f32
  mla.yield %a : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [#mla.param_decl<"slope" : f32, per_head>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  // expected-error @below {{must index "slope", which is per_head, by the head}}
  %a = mla.param "slope"[%k] : f32
  mla.yield %a : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [#mla.param_decl<"slope" : f32, per_head>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  // expected-error @below {{must index "slope", which is per_head, by the head}}
  %a = mla.param "slope" : f32
  mla.yield %a : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [#mla.param_decl<"w" : i32, per_token>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  // expected-error @below {{must index "w", which is per_token, by the token}}
  %a = mla.param "w"[%h] : i32
  mla.yield %s : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [#mla.param_decl<"w" : i32, scalar>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  // expected-error @below {{must index "w", which is scalar, by nothing}}
  %a = mla.param "w"[%h] : i32
  mla.yield %s : f32
}

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [#mla.param_decl<"w" : i32, scalar>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
  // expected-error @below {{reads "w" as 'f32', but it is 'i32'}}
  %a = mla.param "w" : f32
  mla.yield %a : f32
}

// -----

// expected-error @below {{has two parameters named "w"}}
mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [#mla.param_decl<"w" : i32, scalar>, #mla.param_decl<"w" : f32, scalar>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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

// -----

mla.attention @x
  heads 8 latent 512 rope 64 value latent query bf16 output bf16
  cache !mla.record<latent bf16 x 512, rope bf16 x 64> page 64
  iterate topk_logical topk 2048 queries 1 to 1 scale 1.0 lse none
  params [
    // expected-error @below {{parameter "w" must be i32 or f32, found 'i64'}}
    #mla.param_decl<"w" : i64, scalar>]
interval(%queryPos: i32, %seqLen: i32, %keyEnd: i32, %hasKeyEnd: i1) {
  mla.yield %queryPos, %seqLen : i32, i32
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
