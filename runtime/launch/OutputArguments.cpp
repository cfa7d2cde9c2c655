#include "runtime/launch/Arguments.h"

namespace mlac {

Result<TensorShape> checkOutputTensor(std::string_view name,
                                      const Tensor& tensor,
                                      TensorShape shape,
                                      std::int64_t alignElements) {
  MLAC_CHECK(checkPointer(name, tensor.data, alignElements * shape.elementBytes));
  shape.tokenStride = tensor.tokenStride;
  shape.headStride = tensor.headStride;
  MLAC_CHECK(resolveStrides(name, shape));
  const bool tokenMisaligned = shape.tokens > 1 && shape.tokenStride % alignElements != 0;
  const bool headMisaligned = shape.heads > 1 && shape.headStride % alignElements != 0;
  if (tokenMisaligned || headMisaligned)
    return argumentError(name,
                         "has token stride {} and head stride {}; they must be multiples of {}",
                         shape.tokenStride,
                         shape.headStride,
                         alignElements);
  return shape;
}

void setTensor(ParamValues& values,
               const TensorParams& params,
               const void* data,
               const TensorShape& shape) {
  values.set(params.data, data);
  values.set(params.tokenStride, shape.tokenStride);
  values.set(params.headStride, shape.headStride);
}

} // namespace mlac
