// Types: the cache record, and the tokens that tie a tile program together.
#ifndef MLAC_IR_MLATYPES
#define MLAC_IR_MLATYPES

include "MlaBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/OpAsmInterface.td"

def Mla_RecordType : TypeDef<Mla_Dialect, "Record"> {
  let mnemonic = "record";
  let summary = "one token's entry in the KV cache";
  let description = [{
    The fields of a record in the order they lie in memory, each contiguous and without padding:

        !mla.record<latent bf16 x 512, rope bf16 x 64>

    Each part occurs at most once and `latent` is present. Elements are bf16 or f16.
  }];
  let parameters = (ins ArrayRefParameter<"RecordField">:$fields);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// A record of bf16 or f16 `element`s: the latent part, then the rotary part unless it is empty.
    static RecordType get(::mlir::Type element, int64_t latent, int64_t rope);

    /// The field of that part; null where the record has none.
    const RecordField* find(RecordPart part) const;

    /// Elements in a part; 0 where the record has none.
    int64_t count(RecordPart part) const;

    /// Bytes from the start of the record to a part it has.
    int64_t offsetBytes(RecordPart part) const;

    int64_t sizeBytes() const;

    /// Element type of the latent part.
    ::mlir::Type elementType() const { return find(RecordPart::Latent)->element; }
  }];
}

// A type without parameters that stands for something the kernel holds. Values are named after it.
class Mla_TokenType<string cppName, string typeMnemonic, string asmName, string typeSummary>
    : TypeDef<Mla_Dialect, cppName, [DeclareTypeInterfaceMethods<OpAsmTypeInterface, ["getAsmName"]>]>,
      BuildableType<"::mlac::mla::" # cppName # "Type::get($_builder.getContext())"> {
  let mnemonic = typeMnemonic;
  let summary = typeSummary;
  let extraClassDefinition = [{
    void $cppClass::getAsmName(::mlir::OpAsmSetNameFn setName) const { setName("}] # asmName # [{"); }
  }];
}

def Mla_TableType : Mla_TokenType<"Table", "table", "table", "the block-table row of a request">;
def Mla_RingType : Mla_TokenType<"Ring", "ring", "ring", "slots in shared memory that tiles of KV rows pass through">;
def Mla_StageType : Mla_TokenType<"Stage", "stage", "stage", "a slot whose tile has landed and may be read">;
def Mla_FreeType : Mla_TokenType<"Free", "free", "free", "a slot that was released and may be refilled">;
def Mla_RowsType : Mla_TokenType<"Rows", "rows", "rows", "the cache rows of one tile, resolved but not yet gathered">;
def Mla_QueriesType : Mla_TokenType<"Queries", "queries", "q", "the query fragments of a warp's heads">;
def Mla_ScoresType : Mla_TokenType<"Scores", "scores", "s", "scores of a warp's heads against the keys of one tile">;
def Mla_ProbsType : Mla_TokenType<"Probs", "probs", "p", "unnormalised probabilities of one tile">;
def Mla_AccType : Mla_TokenType<"Acc", "acc", "acc", "output accumulator with its softmax state (running maximum and sum)">;

#endif // MLAC_IR_MLATYPES
