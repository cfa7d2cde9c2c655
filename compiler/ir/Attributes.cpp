// Attributes of the `mla` dialect: registration and the schedule's rules.
#include "compiler/ir/MlaAttrs.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlac::mla;

#define GET_ATTRDEF_CLASSES
#include "compiler/ir/MlaAttrs.cpp.inc"

void MlaDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "compiler/ir/MlaAttrs.cpp.inc"
      >();
}

LogicalResult ParamAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                StringRef name,
                                Type type,
                                ParamShape /*shape*/) {
  if (name.empty())
    return emitError() << "a parameter needs a name";
  if (!type.isF32() && !type.isInteger(32))
    return emitError() << "parameter \"" << name << "\" must be i32 or f32, found " << type;
  return success();
}

// The parameters are those of the attribute.
// NOLINTNEXTLINE(readability-function-size)
LogicalResult ScheduleAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   StringRef /*shapeClass*/,
                                   EngineKind /*engine*/,
                                   int headGroups,
                                   int headTiles,
                                   int dimSplits,
                                   int keySlices,
                                   int stages,
                                   int keysPerStage,
                                   GatherKind /*gather*/,
                                   RowReuseKind /*rowReuse*/,
                                   QueryHomeKind /*queryHome*/,
                                   int mergePasses,
                                   int qkChains,
                                   int ctasPerSm,
                                   int queryGroup) {
  struct Count {
    StringRef name;
    int value;
  };

  for (auto [name, value] : {Count{"head_groups", headGroups},
                             Count{"head_tiles", headTiles},
                             Count{"dim_splits", dimSplits},
                             Count{"key_slices", keySlices},
                             Count{"stages", stages},
                             Count{"keys_per_stage", keysPerStage},
                             Count{"merge_passes", mergePasses},
                             Count{"qk_chains", qkChains},
                             Count{"ctas_per_sm", ctasPerSm},
                             Count{"query_group", queryGroup}})
    if (value < 1)
      return emitError() << "`" << name << "` must be at least 1, found " << value;
  if (keysPerStage % 16 != 0)
    return emitError()
           << "`keys_per_stage` must be a multiple of 16, the keys of one mma_sync step, "
              "found "
           << keysPerStage;
  return success();
}
