// The meaning of a variant: mla.attention, and what its regions may use besides arith and math.
#ifndef MLAC_IR_MLAATTENTIONOPS
#define MLAC_IR_MLAATTENTIONOPS

include "MlaAttrs.td"
include "MlaTypes.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Mla_Op<string mnemonic, list<Trait> traits = []> : Op<Mla_Dialect, mnemonic, traits>;

def Mla_AttentionOp : Mla_Op<"attention", [
    Symbol, IsolatedFromAbove, SingleBlock,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "one attention variant: its sizes, and its rules as regions";
  let description = [{
    The attributes mirror `mlac::Variant`. The regions are the only source of the rules they state;
    each is one block of `arith` and `math` ops that ends in `mla.yield`:

    | region | arguments | yields |
    | --- | --- | --- |
    | interval | queryPos, seqLen, keyEnd: i32; hasKeyEnd: i1 | begin, end: i32; the positions a token may see |
    | slots | entry, begin, end: i32; slotCount: i64; table | k: i32, slot: i64, valid: i1 |
    | mask | h, q, k, t: i32 | i1, true keeps the key |
    | score | s: f32; h, q, k, t: i32 | f32, the score after it was scaled |

    `mla.param` may stand in `mask` and `score`; it reads one of `params`, which the launch passes.
    What the interval excludes the mask need not: it keeps every key where the interval says it all.
    With `sink` the launch passes a number per head that joins the denominator only.

    `entry` is an index for top-k and the position itself otherwise. With physical indices no
    position is known: `k` is -1, the table unused and the interval not read. `begin` is never
    negative. `mla.lookup` may stand in `slots` only.
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    I32Attr:$heads,
    I32Attr:$latent,
    I32Attr:$rope,
    Mla_ValueAttr:$value,
    TypeAttr:$query,
    TypeAttr:$output,
    TypeAttrOf<Mla_RecordType>:$record,
    I32Attr:$page,
    Mla_IterateAttr:$iterate,
    DefaultValuedAttr<I32Attr, "0">:$topk,
    DefaultValuedAttr<I32Attr, "0">:$window,
    I32Attr:$min_queries,
    I32Attr:$max_queries,
    UnitAttr:$causal,
    OptionalAttr<F32Attr>:$scale,
    Mla_LseAttr:$lse,
    UnitAttr:$empty_lse_positive,
    UnitAttr:$max_logit,
    OptionalAttr<Mla_ParamsAttr>:$params,
    UnitAttr:$sink);
  let regions = (region
    SizedRegion<1>:$interval, SizedRegion<1>:$slots, SizedRegion<1>:$mask, SizedRegion<1>:$score);
  let assemblyFormat = [{
    $sym_name
    `\n` ` ` ` ` `heads` $heads `latent` $latent `rope` $rope `value` `` $value
    `query` $query `output` $output
    `\n` ` ` ` ` `cache` $record `page` $page
    `\n` ` ` ` ` `iterate` `` $iterate (`topk` $topk^)? (`window` $window^)?
    `queries` $min_queries `to` $max_queries (`causal` $causal^)?
    `\n` ` ` ` ` (`scale` $scale^)? `lse` `` $lse
    (`empty_lse_positive` $empty_lse_positive^)? (`max_logit` $max_logit^)? (`sink` $sink^)?
    (`\n` ` ` ` ` `params` $params^)?
    attr-dict-with-keyword
    `\n` `` `interval` `` custom<NamedRegion>($interval)
    `\n` `` `slots` `` custom<NamedRegion>($slots)
    `\n` `` `mask` `` custom<NamedRegion>($mask)
    `\n` `` `score` `` custom<NamedRegion>($score)
  }];
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    bool isTopk() {
      return getIterate() == Iterate::TopkLogical || getIterate() == Iterate::TopkPhysical;
    }

    /// True where key positions are known.
    bool isLogical() { return getIterate() != Iterate::TopkPhysical; }

    int valueDims() {
      return getLatent() + (getValue() == ValuePart::Record ? getRope() : 0);
    }

    /// True where the score region returns the score it was given.
    bool isIdentityScore();

    /// The launch's parameter of that name, null where it has none.
    ParamAttr findParam(::llvm::StringRef name);

    /// Its place among them, or -1.
    int paramIndex(::llvm::StringRef name);

    /// True where the region, mask or score, reads any of them.
    bool readsParams(::mlir::Region& region);

    /// True where the mask region keeps every key.
    bool isTrivialMask();
  }];
}

def Mla_LookupOp : Mla_Op<"lookup", [Pure]> {
  let summary = "the physical block of a page, or -1";
  let description = [{
    Reads a request's block-table row. Answers -1 for a page below 0 or past the row, so it may be
    evaluated for any page.
  }];
  let arguments = (ins Mla_TableType:$table, I32:$page);
  let results = (outs I32:$block);
  let assemblyFormat = "$table `[` $page `]` attr-dict";
  let hasFolder = 1;
}

def Mla_ParamOp : Mla_Op<"param", [Pure]> {
  let summary = "a number that the launch passes";
  let description = [{
    Names one of the attention's `params`. One per head or token takes the region's head or token.
  }];
  let arguments = (ins StrAttr:$param, Optional<I32>:$index);
  let results = (outs AnyTypeOf<[I32, F32]>:$value);
  let assemblyFormat = "$param (`[` $index^ `]`)? `:` type($value) attr-dict";
}

def Mla_YieldOp : Mla_Op<"yield", [Pure, Terminator, ReturnLike]> {
  let summary = "what a region of mla.attention or the body of mla.tiles hands back";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
}

#endif // MLAC_IR_MLAATTENTIONOPS
