// What generated sources have in common: the head comment, the includes, and the variant's rules.
#pragma once

#include "common/Result.h"
#include "compiler/codegen/Emit.h"

#include <string_view>
#include <vector>

namespace mlac {

class SourceWriter;

/// Purpose line, spec, schedule and digest, then the includes.
void writeHead(SourceWriter& out,
               std::string_view purpose,
               const Provenance& provenance,
               std::string_view schedule,
               const std::vector<std::string_view>& includes);

/// Writes `struct Rules`: the regions of the attention as functions. `perKey` adds mask and score
/// where they say something.
Status writeRules(SourceWriter& out, mla::AttentionOp attention, bool perKey);

} // namespace mlac
