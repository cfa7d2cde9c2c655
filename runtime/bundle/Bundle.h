// Bundle: families on disk, as a directory that a machine without a compiler can launch from.
//
//   bundle.json                    format, families, and length and digest of every other file
//   NAME/family.TARGET.json        a KernelFamily without its sources
//   NAME/ENTRY.TARGET.cu           the sources
//   NAME/ENTRY.TARGET.cubin        compiled, where the packer could; with ENTRY.TARGET.json, its
//   log and resources
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "mlac/mlac.hpp"
#include "runtime/nvrtc/Compile.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace mlac {

/// A family to pack, with the cubins there are, by entry name, for the family's own target.
struct BundledFamily {
  KernelFamily family;
  std::map<std::string, CompileOutput> cubins;
};

/// Writes a bundle; a former bundle at `path` is replaced in one step, anything else there is
/// refused. Nothing is left behind on failure.
Status writeBundle(const std::string& path, std::span<const BundledFamily> families);

/// Every family a bundle holds, read and checked in full.
Result<std::vector<BundledFamily>> readBundle(const std::string& path);

/// Name and target of each family, in the order they are listed.
struct BundleItem {
  std::string name;
  std::string target;
};

std::vector<BundleItem> itemsOf(const Bundle& bundle);

/// One family, read and checked. InvalidInput where there is none of that name and target.
Result<BundledFamily> readFamily(const Bundle& bundle, const BundleItem& item);

} // namespace mlac
