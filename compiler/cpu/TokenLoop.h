// TokenLoop: the attention of one token as loops over entries, heads and dims.
#pragma once

#include "compiler/cpu/KernelArgs.h"
#include "compiler/cpu/RegionInliner.h"
#include "compiler/cpu/RequestLookup.h"
#include "compiler/cpu/ScratchLayout.h"
#include "compiler/ir/MlaOps.h"

namespace mlac {

/// Builds, at the builder's insertion point, what computes one token. Entries are visited twice:
/// once for the scores and their maximum, once for the weighted sum of values. Heads are the inner
/// loop of both, so that a record is converted to f32 once for all of them.
class TokenLoop {
public:
  TokenLoop(LoopBuilder& builder, mla::AttentionOp op, const KernelArgs& args, mlir::Value scratch);

  /// `token` is an i64.
  void build(mlir::Value token);

private:
  /// The entries a token walks, and what the regions need to know about it.
  struct Entries {
    TokenPlace place;             ///< null values with physical indices
    mlir::Value token;            ///< i32
    mlir::Value queryPosition;    ///< i32; -1 with physical indices
    mlir::Value keyBegin, keyEnd; ///< i32, of the interval region
    mlir::Value first, last;      ///< i64: the loop's bounds
    TableRow table;
  };

  void clearState();
  void convertQueries(mlir::Value token);
  Entries findEntries(mlir::Value token);
  void findInterval(Entries& entries, mlir::Value token);
  mlir::Value indexCount(mlir::Value token);

  mlir::Value scoreEntries(const Entries& entries, mlir::Value token);
  mlir::Value entryAt(mlir::Value token, mlir::Value position);
  void scoreRecord(const Entries& entries, mlir::Value key, mlir::Value slot, mlir::Value count);
  mlir::Value dotWithRecord(mlir::Value head);
  void convertRecord(mlir::Value slot, std::int64_t dims);

  void sumValues(mlir::Value count);
  void addWeighted(mlir::Value head, mlir::Value weight);

  void storeResults(mlir::Value token);
  mlir::Value withSink(mlir::Value head, mlir::Value maximum, mlir::Value total);
  mlir::Value logSumExp(mlir::Value maximum, mlir::Value total, mlir::Value isEmpty);

  mlir::Value scratchAt(std::int64_t offsetBytes);

  LoopBuilder& b;
  mla::AttentionOp op;
  const KernelArgs& args;
  mlir::Value scratch;
  std::int64_t heads, latent, rope, valueDims;
  ScratchLayout layout;
  mlir::Value queries, record, sums, maxima, totals, rows, scores;
};

} // namespace mlac
