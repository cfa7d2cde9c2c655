// The parameter struct of each kernel: one list that gives both its C++ text and the runtime's
// layout.
#pragma once

#include "common/KernelFamily.h"

#include <string>
#include <vector>

namespace mlac {

class SourceWriter;

/// The named arguments of a kernel of that role, with their places.
struct ParamLayout {
  std::vector<ParamField> fields;
  std::uint32_t bytes = 0;
};

ParamLayout layoutParams(const Variant& variant, KernelRole role);

/// Writes `struct Args { ... };` with a comment on each group of fields.
void writeArgs(SourceWriter& out, const Variant& variant, KernelRole role);

} // namespace mlac
