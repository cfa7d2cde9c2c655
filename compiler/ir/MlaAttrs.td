// Attributes: the enumerations as attributes, and the schedule of a kernel.
#ifndef MLAC_IR_MLAATTRS
#define MLAC_IR_MLAATTRS

include "MlaBase.td"
include "mlir/IR/AttrTypeBase.td"

def Mla_IterateAttr : EnumAttr<Mla_Dialect, Mla_Iterate, "iterate">;
def Mla_LseAttr : EnumAttr<Mla_Dialect, Mla_Lse, "lse">;
def Mla_ValueAttr : EnumAttr<Mla_Dialect, Mla_Value, "value">;
def Mla_GatherAttr : EnumAttr<Mla_Dialect, Mla_Gather, "gather">;
def Mla_QueryHomeAttr : EnumAttr<Mla_Dialect, Mla_QueryHome, "query_home">;

def Mla_ParamAttr : AttrDef<Mla_Dialect, "Param"> {
  let mnemonic = "param_decl";
  let summary = "a number that a launch passes, of type i32 or f32: one, or one per head or token";
  let parameters = (ins
    StringRefParameter<"as the spec calls it">:$name,
    "::mlir::Type":$type,
    EnumParameter<Mla_ParamShape>:$shape);
  let assemblyFormat = "`<` $name `:` $type `,` $shape `>`";
  let genVerifyDecl = 1;
}

def Mla_ParamsAttr : TypedArrayAttrBase<Mla_ParamAttr, "parameters of a launch">;

def Mla_ScheduleAttr : AttrDef<Mla_Dialect, "Schedule"> {
  let mnemonic = "schedule";
  let summary = "every choice that turns a variant into one kernel";
  let description = [{
    Mirrors `mlac::Schedule`; `toAttr` and `fromAttr` (ScheduleAttr.h) convert. Warps of a CTA:
    `head_groups * dim_splits * key_slices`, each of them working on `head_tiles` tiles of 8 heads. Counts are positive; what a target can hold is checked
    by the budget pass, not here.
  }];
  let parameters = (ins
    StringRefParameter<"which token counts it is meant for">:$shape_class,
    EnumParameter<Mla_Engine>:$engine,
    "int":$head_groups,
    "int":$head_tiles,
    "int":$dim_splits,
    "int":$key_slices,
    "int":$stages,
    "int":$keys_per_stage,
    EnumParameter<Mla_Gather>:$gather,
    EnumParameter<Mla_RowReuse>:$row_reuse,
    EnumParameter<Mla_QueryHome>:$query_home,
    "int":$merge_passes,
    "int":$qk_chains,
    "int":$ctas_per_sm,
    DefaultValuedParameter<"int", "1", "query tokens in one CTA">:$query_group);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

#endif // MLAC_IR_MLAATTRS
