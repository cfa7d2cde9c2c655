// Runs a region of mla.attention on constants, by MLIR's own folders.
#pragma once

#include "mlir/IR/Region.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace mlac {

/// What the block table answers for a page.
using Table = std::function<std::int64_t(std::int64_t page)>;

/// The integers that `region` yields for integer `arguments`; that of a table argument is ignored.
std::vector<std::int64_t>
evaluate(mlir::Region& region, const std::vector<std::int64_t>& arguments, const Table& table = {});

} // namespace mlac
