// CubinJson: what a bundle keeps beside a cubin: its compiler's log and the resources it takes.
#pragma once

#include "common/Result.h"
#include "runtime/nvrtc/Compile.h"

#include <string>
#include <string_view>

namespace mlac {

std::string cubinToJson(const CompileOutput& output);

/// Log and resources; the cubin stays empty. InvalidInput says what is wrong; `where` names the
/// file.
Result<CompileOutput> cubinFromJson(std::string_view text, std::string_view where);

} // namespace mlac
