// RUN: %mlac_opt -split-input-file -verify-diagnostics %s

// expected-error @below {{a record needs a `latent` field}}
!none = !mla.record<rope bf16 x 64>

// -----

// expected-error @below {{a record has one `rope` field, this one repeats it}}
!twice = !mla.record<latent bf16 x 512, rope bf16 x 64, rope bf16 x 64>

// -----

// expected-error @below {{`latent` elements are bf16 or f16, found 'f32'}}
!wide = !mla.record<latent f32 x 512>

// -----

// expected-error @below {{`rope` needs at least one element, found 0}}
!empty = !mla.record<latent f16 x 512, rope f16 x 0>

// -----

// expected-error @below {{expected `latent` or `rope`, found `scale`}}
!unknown = !mla.record<latent f16 x 512, scale f32 x 4>

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
