// ProblemVariants: what the small problems attend with.
#pragma once

#include "common/Variant.h"

namespace mlac::mutations {

/// 96 dims a key: rows of 192 bytes, 208 apart in the ring.
Variant dense(const char* name, int heads);

Variant logical(const char* name, int heads, int topk);

/// Three tiles of 8 heads, the last with three: a CTA of two tiles has one to spare. Four warps do
/// not divide 10 steps of QK or 9 tiles of value dims evenly.
Variant splitVariant();

/// Three warps do not divide 16 rows, 11 steps of QK or 10 tiles of value dims evenly.
Variant unevenVariant();

/// 31 tiles of value dims: with 17 tokens so many to combine that a CTA gets two, and one is left.
Variant manyTilesVariant();

Variant raggedVariant();

Variant windowVariant();

/// Two CTAs of eight heads each a token, where a warp has one tile of them.
Variant balancedVariant();

Variant farVariant();

/// Two warps of a merge share a row, the second with two chunks for its 32 lanes; the last CTA of a
/// token has a row to spare.
Variant mergeVariant();

} // namespace mlac::mutations
