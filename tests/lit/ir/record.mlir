// Records come back as they were written; scales are counted by what they scale, and the name that 16-bit records
// have anyway is left out.
// RUN: %mlac_opt %s -split-input-file | %mlac_opt -split-input-file | FileCheck %s

// CHECK: !mla.record<"fp8_ds_mla", latent e4m3 x 512, scale f32 per 128 of latent, rope bf16 x 64>
func.func private @scaled(!mla.record<"fp8_ds_mla", latent e4m3 x 512, scale f32 per 128 of latent, rope bf16 x 64>)

// -----

// CHECK: !mla.record<"dsv4", latent e4m3 x 448, rope bf16 x 64, tail scale e8m0 per 64 of latent, tail pad 1, page_align 576>
func.func private @tail(!mla.record<"dsv4", latent e4m3 x 448, rope bf16 x 64, tail scale e8m0 per 64 of latent, tail pad 1, page_align 576>)

// -----

// CHECK: !mla.record<latent e2m1 x 64, pad 4, rope e5m2 x 16, scale f32 per tensor of latent, scale f32 per 4 of rope>
func.func private @nameless(!mla.record<latent e2m1 x 64, pad 4, rope e5m2 x 16, scale f32 per tensor of latent, scale f32 per 4 of rope>)

// -----

// CHECK: !mla.record<latent f16 x 64, rope f16 x 16>
func.func private @plain(!mla.record<"f16", latent f16 x 64, rope f16 x 16>)

// -----

// CHECK: !mla.record<"mine", latent f16 x 64, rope f16 x 16>
func.func private @named(!mla.record<"mine", latent f16 x 64, rope f16 x 16>)
