// DeviceText: the headers of simt/device, embedded in the program for the host compiler.
#pragma once

#include <span>
#include <string_view>

namespace mlac::simt {

struct DeviceFile {
  std::string_view name; ///< such as "simt/device/prelude.h"
  std::string_view text;
};

/// Sorted by name.
std::span<const DeviceFile> deviceFiles();

} // namespace mlac::simt
