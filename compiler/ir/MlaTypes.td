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
    The fields of a record in the order they lie in memory, without gaps, as the language has them:

        !mla.record<latent bf16 x 512, rope bf16 x 64>
        !mla.record<"dsv4", latent e4m3 x 448, rope bf16 x 64, tail scale e8m0 per 64 of latent, tail pad 1, page_align 576>

    `tail` fields lie in the tail of a page, and come last. The rules are those of
    `mlac::faultOf`. The name is the spec's; records of bf16 or f16 alone need none.
  }];
  let parameters = (ins
    StringRefParameter<"as the spec calls it">:$name,
    ArrayRefParameter<"::mlac::RecordField">:$fields,
    "int":$pageAlign);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// `record` is sized.
    static RecordType get(::mlir::MLIRContext* context, const ::mlac::Record& record);

    ::mlac::Record record() const;

    /// Elements in latent or rope; 0 where the record has none.
    int64_t count(::mlac::FieldKind part) const;

    /// Bytes from the start of the token to a part it has.
    int64_t offsetBytes(::mlac::FieldKind part) const;

    /// Bytes of a token, its share of the page's tail included.
    int64_t sizeBytes() const;
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
