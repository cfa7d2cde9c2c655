// RUN: %mlac_opt -split-input-file -verify-diagnostics %s

// expected-error @below {{a record needs a `latent` field}}
!none = !mla.record<rope bf16 x 64>

// -----

// expected-error @below {{a record has one `rope` field, this is the second; keep one of the two lines}}
!twice = !mla.record<latent bf16 x 512, rope bf16 x 64, rope bf16 x 64>

// -----

// expected-error @below {{`latent` may not be e8m0, which holds powers of two only}}
!wide = !mla.record<latent e8m0 x 512>

// -----

// expected-error @below {{unknown element type `i8`}}
!integer = !mla.record<latent i8 x 512>

// -----

// expected-error @below {{`latent` is e4m3 and has no scale}}
!bare = !mla.record<latent e4m3 x 512>

// -----

// expected-error @below {{groups of 96 do not divide the 512 elements of `latent`}}
!uneven = !mla.record<latent e4m3 x 512, scale f32 per 96 of latent>

// -----

// expected-error @below {{`scale` begins at byte 514; f32 must begin at a multiple of 4; write `pad 2` before it}}
!odd = !mla.record<latent e4m3 x 512, pad 2, scale f32 per 128 of latent>

// -----

// expected-error @below {{the fields of the page tail come last}}
!early = !mla.record<tail scale e8m0 per 64 of latent, latent e4m3 x 512>

// -----

// expected-error @below {{`rope` needs at least one element, found 0}}
!empty = !mla.record<latent f16 x 512, rope f16 x 0>

// -----

// expected-error @below {{expected `latent`, `rope`, `scale` or `pad`, found `value`}}
!unknown = !mla.record<latent f16 x 512, value f32 x 4>

// -----

// expected-error @below {{`keys_per_stage` must be a multiple of 16, the keys of one mma_sync step, found 24}}
#odd = #mla.schedule<shape_class = "few", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 1, stages = 4, keys_per_stage = 24, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 1, qk_chains = 1, ctas_per_sm = 1>

// -----

// expected-error @below {{`head_tiles` must be at least 1, found 0}}
#bare = #mla.schedule<shape_class = "few", engine = mma_sync, head_groups = 1, head_tiles = 0, dim_splits = 1, key_slices = 1, stages = 4, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 1, qk_chains = 1, ctas_per_sm = 1>

// -----

// expected-error @below {{failed to parse Mla_ScheduleAttr parameter 'row_reuse'}}
// expected-error @below {{expected ::mlac::mla::RowReuseKind to be one of: none, l2}}
#kept = #mla.schedule<shape_class = "few", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 1, stages = 4, keys_per_stage = 16, gather = bulk, row_reuse = l1, query_home = registers, merge_passes = 1, qk_chains = 1, ctas_per_sm = 1>

// -----

// expected-error @below {{`stages` must be at least 1, found 0}}
#dry = #mla.schedule<shape_class = "few", engine = mma_sync, head_groups = 1, head_tiles = 1, dim_splits = 1, key_slices = 1, stages = 0, keys_per_stage = 16, gather = bulk, row_reuse = l2, query_home = registers, merge_passes = 1, qk_chains = 1, ctas_per_sm = 1>
