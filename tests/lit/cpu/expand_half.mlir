// Half conversions become integer arithmetic: no instruction or library function of the host is asked for.
// RUN: %mlac_opt %s -mla-expand-half | FileCheck %s

// CHECK-LABEL: func.func @widen
// CHECK-NOT: arith.extf
// CHECK: return
func.func @widen(%a: bf16, %b: f16) -> (f32, f32) {
  %0 = arith.extf %a : bf16 to f32
  %1 = arith.extf %b : f16 to f32
  return %0, %1 : f32, f32
}

// CHECK-LABEL: func.func @round
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @round(%a: f32) -> (bf16, f16) {
  %0 = arith.truncf %a : f32 to bf16
  %1 = arith.truncf %a : f32 to f16
  return %0, %1 : bf16, f16
}
