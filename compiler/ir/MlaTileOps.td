// The tile program: mla.kernel and the operations in it.
#ifndef MLAC_IR_MLATILEOPS
#define MLAC_IR_MLATILEOPS

include "MlaAttentionOps.td"

class Mla_KernelPart<string mnemonic, list<Trait> traits = []>
    : Mla_Op<mnemonic, !listconcat([HasParent<"KernelOp">], traits)>;

class Mla_TilePart<string mnemonic, list<Trait> traits = []>
    : Mla_Op<mnemonic, !listconcat([HasParent<"TilesOp">, OpAsmOpInterface], traits)>;

def Mla_KernelOp : Mla_Op<"kernel", [
    Symbol, IsolatedFromAbove, SingleBlock, NoTerminator,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one kernel: the attention it implements, its schedule, and its tile program";
  let description = [{
    Without a body the kernel is planned; `mla-build-tiles` gives it one. A body is verified as a
    protocol: reads wait, slots are released once and refilled with the right tile, the ring is
    filled before the loop, and softmax state is used once.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$implements,
                       Mla_ScheduleAttr:$schedule);
  let regions = (region MaxSizedRegion<1>:$bodyRegion);
  let assemblyFormat = [{
    $sym_name `implements` $implements
    `\n` ` ` ` ` `schedule` `` $schedule attr-dict-with-keyword ($bodyRegion^)?
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The attention this kernel implements; null where the symbol names none.
    AttentionOp attention();

    bool isBuilt() { return !getBodyRegion().empty(); }
  }];
}

def Mla_RingOp : Mla_KernelPart<"ring", [OpAsmOpInterface]> {
  let summary = "shared-memory slots for tiles";
  let description = [{
    Each slot holds `keys` rows of `row_bytes`, `stride_bytes` apart: an odd multiple of 16, so that
    the rows an ldmatrix reads fall into different banks. Slots have `barriers` barriers between them
    that say when a tile has landed: a multiple of `stages`, and of the slices that read the ring, so
    that each serves one slot and one slice. A slice takes its tiles in order; so the barrier's earlier
    tile is behind the slice when it waits, and parity cannot alias.
  }];
  let arguments = (ins I32Attr:$stages, I32Attr:$keys, I32Attr:$row_bytes, I32Attr:$stride_bytes,
                       I32Attr:$barriers, Mla_GatherAttr:$gather);
  let results = (outs Mla_RingType:$ring);
  let assemblyFormat = [{
    `stages` $stages `keys` $keys `row_bytes` $row_bytes `stride_bytes` $stride_bytes
    `barriers` $barriers `gather` `` $gather attr-dict
  }];
  let hasVerifier = 1;
}

def Mla_LoadQueriesOp : Mla_KernelPart<"load_queries", [OpAsmOpInterface]> {
  let summary = "the CTA's query rows as fragments";
  let arguments = (ins Mla_QueryHomeAttr:$home);
  let results = (outs Mla_QueriesType:$queries);
  let assemblyFormat = "`home` `` $home attr-dict";
}

def Mla_InitOp : Mla_KernelPart<"init", [OpAsmOpInterface]> {
  let summary = "an accumulator that saw no key: zero output, maximum -inf, sum 0";
  let results = (outs Mla_AccType:$acc);
  let assemblyFormat = "attr-dict";
}

def Mla_FillOp : Mla_KernelPart<"fill"> {
  let summary = "resolves and gathers the first tiles, one for each slot";
  let arguments = (ins Mla_RingType:$ring, I32Attr:$ahead);
  let assemblyFormat = "$ring `ahead` $ahead attr-dict";
}

def Mla_TilesOp : Mla_KernelPart<"tiles", [
    SingleBlock, DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let summary = "the loop over tiles of keys";
  let description = [{
    Tile n lies in slot n mod stages. With `slices` s, warp slice i works on tiles i, i + s, ...: the
    loop is what one slice does. The body takes the tile's number and the accumulator, and yields the
    accumulator.
  }];
  let arguments = (ins Mla_RingType:$ring, I32Attr:$slices, Mla_AccType:$init);
  let results = (outs Mla_AccType:$acc);
  let regions = (region SizedRegion<1>:$bodyRegion);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::BlockArgument tile() { return getBody()->getArgument(0); }
    ::mlir::BlockArgument carried() { return getBody()->getArgument(1); }
  }];
}

def Mla_ResolveOp : Mla_TilePart<"resolve"> {
  let summary = "the cache rows of a later tile";
  let description = [{
    The attention's slot map for tile `tile + ahead`. Index and block-table loads are made for a window
    of tiles before the first of them is due, so that they are off the path from release to refill.
  }];
  let arguments = (ins Index:$tile, I32Attr:$ahead);
  let results = (outs Mla_RowsType:$rows);
  let assemblyFormat = "$tile `ahead` $ahead attr-dict";
}

def Mla_WaitOp : Mla_TilePart<"wait"> {
  let summary = "waits until a tile has landed in its slot";
  let description = [{
    Tile n's barrier is number n mod `barriers` of the ring; the parity of its phase tells whether n has
    landed.
  }];
  let arguments = (ins Mla_RingType:$ring, Index:$tile);
  let results = (outs Mla_StageType:$stage);
  let assemblyFormat = "$ring `,` $tile attr-dict";
}

def Mla_QkOp : Mla_TilePart<"qk"> {
  let summary = "scores of a tile: scale * Q K^T, f32";
  let description = "With `dim_splits` above 1 a warp's share of them: the dims are divided.";
  let arguments = (ins Mla_QueriesType:$queries, Mla_StageType:$stage);
  let results = (outs Mla_ScoresType:$scores);
  let assemblyFormat = "$queries `,` $stage attr-dict";
}

def Mla_SumSharesOp : Mla_TilePart<"sum_shares"> {
  let summary = "adds up the shares of the warps that divide a head group's dims";
  let description = [{
    Present exactly where `dim_splits` is above 1. The warps exchange their shares through shared
    memory, and each adds up all of them in the same order.
  }];
  let arguments = (ins Mla_ScoresType:$in);
  let results = (outs Mla_ScoresType:$scores);
  let assemblyFormat = "$in attr-dict";
}

def Mla_ScoreOp : Mla_TilePart<"score"> {
  let summary = "applies the attention's score region";
  let description = "Present exactly where that region is not the identity.";
  let arguments = (ins Mla_ScoresType:$in, Mla_StageType:$stage);
  let results = (outs Mla_ScoresType:$scores);
  let assemblyFormat = "$in `,` $stage attr-dict";
}

def Mla_MaskOp : Mla_TilePart<"mask"> {
  let summary = "-inf for entries that are invalid or that the attention's mask region drops";
  let arguments = (ins Mla_ScoresType:$in, Mla_StageType:$stage);
  let results = (outs Mla_ScoresType:$scores);
  let assemblyFormat = "$in `,` $stage attr-dict";
}

def Mla_SoftmaxOp : Mla_TilePart<"softmax"> {
  let summary = "probabilities against the running maximum; rescales the accumulator to it";
  let arguments = (ins Mla_ScoresType:$scores, Mla_AccType:$in);
  let results = (outs Mla_ProbsType:$probs, Mla_AccType:$acc);
  let assemblyFormat = "$scores `,` $in attr-dict";
}

def Mla_PvOp : Mla_TilePart<"pv"> {
  let summary = "adds P V to the accumulator";
  let arguments = (ins Mla_ProbsType:$probs, Mla_StageType:$stage, Mla_AccType:$in);
  let results = (outs Mla_AccType:$acc);
  let assemblyFormat = "$probs `,` $stage `,` $in attr-dict";
}

def Mla_ReleaseOp : Mla_TilePart<"release"> {
  let summary = "gives a slot back";
  let description = "The slot is free once every warp that works on its tile has released it.";
  let arguments = (ins Mla_StageType:$stage);
  let results = (outs Mla_FreeType:$slot);
  let assemblyFormat = "$stage attr-dict";
}

def Mla_RefillOp : Mla_TilePart<"refill"> {
  let summary = "starts the gather of resolved rows into a free slot";
  let description = [{
    Each warp that worked on the slot's last tile copies a share of the rows, so the ring needs no
    producer warp. Invalid rows are written as zeros, so that nothing in unused cache reaches the
    arithmetic.
  }];
  let arguments = (ins Mla_RingType:$ring, Mla_FreeType:$slot, Mla_RowsType:$rows);
  let assemblyFormat = "$ring `,` $slot `,` $rows attr-dict";
}

def Mla_MergeOp : Mla_KernelPart<"merge", [OpAsmOpInterface]> {
  let summary = "joins the slices' accumulators through shared memory";
  let description = "The accumulator's columns pass in `passes` rounds, which bounds the bytes needed.";
  let arguments = (ins Mla_AccType:$in, I32Attr:$passes);
  let results = (outs Mla_AccType:$acc);
  let assemblyFormat = "$in `passes` $passes attr-dict";
}

def Mla_StoreOp : Mla_KernelPart<"store", [Terminator]> {
  let summary = "writes output, LSE and maximum, or this split's partial results";
  let description = "Ends the kernel: nothing reads after it.";
  let arguments = (ins Mla_AccType:$acc);
  let assemblyFormat = "$acc attr-dict";
}

#endif // MLAC_IR_MLATILEOPS
