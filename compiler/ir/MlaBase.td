// The `mla` dialect and its enumerations.
#ifndef MLAC_IR_MLABASE
#define MLAC_IR_MLABASE

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def Mla_Dialect : Dialect {
  let name = "mla";
  let cppNamespace = "::mlac::mla";
  let summary = "Multi-head Latent Attention: the meaning of a variant, and the tile program of a kernel";
  let description = [{
    Two levels. `mla.attention` says what a variant means: sizes as attributes, and four regions in
    `arith` and `math` that every backend reads (visible keys, slot map, mask, score).
    `mla.kernel` says how one kernel computes it: a straight-line loop over tiles whose tokens
    (`!mla.stage`, `!mla.free`, `!mla.rows`, `!mla.acc`) make the shared-memory protocol checkable.
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
  let extraClassDeclaration = [{
    void registerTypes();
    void registerAttributes();
    void registerOps();
  }];
}

class Mla_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let cppNamespace = "::mlac::mla";
  let genSpecializedAttr = 0;
}

def Mla_Iterate : Mla_Enum<"Iterate", "how cache positions are walked", [
  I32EnumAttrCase<"Dense", 0, "dense">,
  I32EnumAttrCase<"Window", 1, "window">,
  I32EnumAttrCase<"TopkLogical", 2, "topk_logical">,
  I32EnumAttrCase<"TopkPhysical", 3, "topk_physical">
]>;

def Mla_Lse : Mla_Enum<"Lse", "base of the log-sum-exp that is returned", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"Natural", 1, "natural">,
  I32EnumAttrCase<"Base2", 2, "base2">
]>;

def Mla_Value : Mla_Enum<"ValuePart", "which part of a record is the value", [
  I32EnumAttrCase<"Latent", 0, "latent">,
  I32EnumAttrCase<"Record", 1, "record">
]>;

def Mla_ParamShape : Mla_Enum<"ParamShape", "how many numbers a parameter is", [
  I32EnumAttrCase<"Scalar", 0, "scalar">,
  I32EnumAttrCase<"PerHead", 1, "per_head">,
  I32EnumAttrCase<"PerToken", 2, "per_token">
]>;

def Mla_Engine : Mla_Enum<"EngineKind", "tensor-core instructions of a kernel", [
  I32EnumAttrCase<"MmaSync", 0, "mma_sync">
]>;

def Mla_Gather : Mla_Enum<"GatherKind", "how rows reach shared memory", [
  I32EnumAttrCase<"Bulk", 0, "bulk">,
  I32EnumAttrCase<"CpAsync", 1, "cp_async">
]>;

def Mla_QueryHome : Mla_Enum<"QueryHomeKind", "where query fragments live during the key loop", [
  I32EnumAttrCase<"Registers", 0, "registers">,
  I32EnumAttrCase<"Shared", 1, "shared">
]>;

def Mla_RowReuse : Mla_Enum<"RowReuseKind", "whether cache rows that were read will soon be again", [
  I32EnumAttrCase<"None", 0, "none">,
  I32EnumAttrCase<"L2", 1, "l2">
]>;

#endif // MLAC_IR_MLABASE
