// The regions of a mla.attention: the language's rules as arith.
#pragma once

namespace mlac {
struct Variant;
} // namespace mlac

namespace mlac::mla {
class AttentionOp;

/// Fills the empty regions of `op` with what `variant` means.
void buildRegions(AttentionOp op, const Variant& variant);

} // namespace mlac::mla
