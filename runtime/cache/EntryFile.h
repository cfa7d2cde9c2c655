// EntryFile: the bytes of one `*.kernel` file. Self-describing and checksummed; see encodeEntry for
// the layout.
#pragma once

#include "runtime/cache/KernelKey.h"

#include <optional>
#include <string>
#include <string_view>

namespace mlac {

struct CacheEntry {
  KernelKey key;
  CompileOutput output;
};

/// Little-endian: magic[8], version u32, zero u32, lengths of identity, toolchain, cubin and log as
/// u64, five resources as i32 and a zero i32, the XXH3-128 of all other bytes as 32 hex digits,
/// then the four parts.
std::string encodeEntry(const CacheEntry& entry);

/// Nothing where the bytes are not exactly what encodeEntry made.
std::optional<CacheEntry> decodeEntry(std::string_view bytes);

} // namespace mlac
