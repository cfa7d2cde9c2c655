// RecordLoad: a token's record in the cache to f32, for any record.
#pragma once

#include "common/Record.h"
#include "compiler/cpu/KernelArgs.h"
#include "compiler/ir/MlaTypes.h"

namespace mlac {

class RecordLoad {
public:
  /// `cacheScale` is an f32, null where no scale of the record is per tensor.
  RecordLoad(LoopBuilder& builder, mla::RecordType type, mlir::Value cacheScale);

  /// Builds the addresses of a slot, an i64, in pages of `page` tokens.
  void findSlot(const KernelArgs& args, mlir::Value slot, std::int64_t page);

  /// Builds loops that write the first `count` elements of latent or rope, times their scales, to
  /// `to` from element `at` on.
  void convert(FieldKind part, mlir::Value to, std::int64_t at, std::int64_t count);

private:
  mlir::Value placeOf(const RecordField& field);
  mlir::Value element(FieldType type, mlir::Value base, mlir::Value index);
  void convertGroup(const RecordField& data,
                    mlir::Value scale,
                    mlir::Value to,
                    std::int64_t at,
                    mlir::Value begin,
                    mlir::Value end);

  LoopBuilder& b;
  Record record;
  RecordLayout layout;
  mlir::Value cacheScale;
  mlir::Value token; ///< where the slot's bytes begin
  mlir::Value tail;  ///< and its share of the page's tail; null where records have none
};

} // namespace mlac
