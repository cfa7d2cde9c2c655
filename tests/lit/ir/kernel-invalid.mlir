// RUN: %mlac_opt -split-input-file -verify-diagnostics %s
//
// The protocol is checked before the attention is looked up, so no case needs one.

// A read after the release.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %free = mla.release %stage
    // expected-error @below {{reads a stage after its release}}
    %a2 = mla.pv %p, %stage, %a1
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %free = mla.release %stage
    // expected-error @below {{reads a stage after its release}}
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// Every wait is released once.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    // expected-error @below {{is never released, so its slot is lost to the ring}}
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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
    %rows2 = mla.resolve %tile ahead 10
    // expected-error @below {{releases a slot a second time}}
    %free2 = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.refill %ring, %free2, %rows2
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// A released slot is refilled once.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    // expected-error @below {{'!mla.free' must be used once, this one is never used}}
    %free = mla.release %stage
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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
    // expected-error @below {{'!mla.free' must be used once, this one is used 2 times}}
    %free = mla.release %stage
    %rows2 = mla.resolve %tile ahead 10
    mla.refill %ring, %free, %rows
    mla.refill %ring, %free, %rows2
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// A refill without a release cannot be written.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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
    // expected-error @below {{use of undeclared SSA value name}}
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// Rows that were resolved are gathered.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    // expected-error @below {{'!mla.rows' must be used once, this one is never used}}
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    %rows2 = mla.resolve %tile ahead 10
    mla.refill %ring, %free, %rows2
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// The slot of tile n is due for tile n + stages, no other.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    // expected-error @below {{looks 9 tiles ahead, but the slot it refills is due for the tile 10 ahead}}
    %rows = mla.resolve %tile ahead 9
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

// Parity aliases once slices progress apart.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 10 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    // expected-error @below {{can mistake another tile's parity for its own: the ring's 10 barriers are no multiple of 8 slices, so slices that progress apart share a barrier}}
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

// The ring starts full.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  // expected-error @below {{needs a mla.fill before it, or it waits for tiles that nothing gathers}}
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  // expected-error @below {{needs a mla.fill before it, or it waits for tiles that nothing gathers}}
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
  mla.fill %ring ahead 10
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  // expected-error @below {{gathers 9 tiles, but the ring has 10 slots and each must start full}}
  mla.fill %ring ahead 9
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

// Softmax state is threaded: neither dropped nor used twice.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  // expected-error @below {{'!mla.acc' must be used once, this one is used 2 times}}
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  // expected-error @below {{'!mla.acc' must be used once, this one is never used}}
  %lost = mla.init
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    // expected-error @below {{'!mla.acc' must be used once, this one is used 2 times}}
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a1 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// Slices are merged, once and only where there are any.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  // expected-error @below {{has 8 slices, whose accumulators need a mla.merge}}
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
  mla.store %acc
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 1, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 10 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 1 {
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
  // expected-error @below {{has nothing to merge, the loop has one slice}}
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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
  %acc1 = mla.init
  // expected-error @below {{must take the accumulator of mla.tiles}}
  %merged = mla.merge %acc1 passes 4
  mla.store %merged
}

// -----

// The running maximum may not see an invalid key.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    // expected-error @below {{must take its scores from mla.mask}}
    %p, %a1 = mla.softmax %s, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// A score function may make -inf finite again, so it comes before the mask.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    // expected-error @below {{must take its scores from mla.qk or mla.sum_shares}}
    %c = mla.score %m, %stage
    %m2 = mla.mask %c, %stage
    %p, %a1 = mla.softmax %m2, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// Where the dims are divided, a warp has a share of each score.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 2, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  // expected-error @below {{needs a mla.sum_shares, as the schedule's `dim_splits` is 2 and mla.qk gives a warp's share}}
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 2, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %sum = mla.sum_shares %s
    // expected-error @below {{must take its scores from mla.sum_shares, mla.qk gives a warp's share}}
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    // expected-error @below {{has nothing to add up, the schedule's `dim_splits` is 1}}
    %sum = mla.sum_shares %s
    %m = mla.mask %sum, %stage
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

// A score function of shares is not the score of their sum.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 2, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %sum0 = mla.sum_shares %s
    %c = mla.score %sum0, %stage
    // expected-error @below {{must take its scores from mla.qk}}
    %sum = mla.sum_shares %c
    %m = mla.mask %sum, %stage
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 2, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %sum = mla.sum_shares %s
    %m0 = mla.mask %sum, %stage
    // expected-error @below {{must take its scores from mla.qk or mla.sum_shares}}
    %c = mla.score %m0, %stage
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

// Probabilities and accumulator refer to the same maximum.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %p4, %a3 = mla.softmax %m, %a1
    // expected-error @below {{must add to the accumulator that its own softmax rescaled}}
    %a2 = mla.pv %p, %stage, %a3
    %a5 = mla.pv %p4, %stage, %a2
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a5 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// Nothing comes after the store.
// expected-error @below {{must end in mla.store}}
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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

}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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
  // expected-error @below {{must be the last operation in the parent block}}
  mla.store %merged
  %late = mla.init
}

// -----

// One ring, one loop.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  // expected-error @below {{occurs twice, a kernel has one}}
  %ring2 = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  // expected-error @below {{must wait for one tile in each iteration}}
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 8 {
    %rows = mla.resolve %tile ahead 10
    %stage = mla.wait %ring, %tile
    %s = mla.qk %q, %stage
    %m = mla.mask %s, %stage
    %p, %a1 = mla.softmax %m, %a
    %a2 = mla.pv %p, %stage, %a1
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    %rows2 = mla.resolve %tile ahead 10
    %stage2 = mla.wait %ring, %tile
    %free2 = mla.release %stage2
    mla.refill %ring, %free2, %rows2
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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
    // expected-error @below {{may not stand in a tile program, which holds mla operations}}
    %c = arith.constant 1 : i32
    %free = mla.release %stage
    mla.refill %ring, %free, %rows
    mla.yield %a2 : !mla.acc
  }
  %merged = mla.merge %acc passes 4
  mla.store %merged
}

// -----

// The body is what the schedule says.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 10
  // expected-error @below {{`slices` is 4, but the schedule's `key_slices` is 8}}
  %acc = mla.tiles(%tile, %a = %acc0) of %ring slices 4 {
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  // expected-error @below {{`stages` is 9, but the schedule's `stages` is 10}}
  %ring = mla.ring stages 9 keys 16 row_bytes 1152 stride_bytes 1168 barriers 72 gather bulk
  %q = mla.load_queries home registers
  %acc0 = mla.init
  mla.fill %ring ahead 9
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  // expected-error @below {{`keys` is 32, but the schedule's `keys_per_stage` is 16}}
  %ring = mla.ring stages 10 keys 32 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  // expected-error @below {{`gather` differs from the schedule's}}
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather cp_async
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
  // expected-error @below {{`home` differs from the schedule's `query_home`}}
  %q = mla.load_queries home shared
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1168 barriers 40 gather bulk
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
  // expected-error @below {{`passes` is 2, but the schedule's `merge_passes` is 4}}
  %merged = mla.merge %acc passes 2
  mla.store %merged
}

// -----

// Rows of a slot start in different banks.
mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  // expected-error @below {{`stride_bytes` must be an odd multiple of 16 that holds a row of 1152, found 1152}}
  %ring = mla.ring stages 10 keys 16 row_bytes 1152 stride_bytes 1152 barriers 40 gather bulk
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  // expected-error @below {{`row_bytes` must be a multiple of 16, the unit of a copy, found 1150}}
  %ring = mla.ring stages 10 keys 16 row_bytes 1150 stride_bytes 1168 barriers 40 gather bulk
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

mla.kernel @k implements @x
  schedule <shape_class = "many", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 8, stages = 10, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 4, qk_chains = 1, ctas_per_sm = 1> {
  // expected-error @below {{needs at least 1 stage, found 0}}
  %ring = mla.ring stages 0 keys 16 row_bytes 1152 stride_bytes 1168 barriers 1 gather bulk
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
