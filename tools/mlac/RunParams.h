// RunParams: what `mlac run --param NAME=VALUE` means for a spec.
#pragma once

#include "common/Result.h"
#include "tools/mlac/RunSubject.h"
#include "verify/Problem.h"

#include <string>
#include <vector>

namespace mlac {

/// Takes the values that `texts` give. One with a default in the spec gets another default, and the
/// spec is checked again; those without are returned, for the launch. InvalidInput where a text is
/// no NAME=VALUE, names no parameter, or a bundle's kernels would have to be generated anew.
Result<std::vector<verify::GivenParam>> applyParams(RunSubject& subject,
                                                    const std::vector<std::string>& texts);

} // namespace mlac
