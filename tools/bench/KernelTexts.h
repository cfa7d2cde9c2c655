// KernelTexts: this folder's CUDA C++ files, embedded in the program.
#pragma once

#include <span>
#include <string_view>

namespace mlac {

struct KernelText {
  std::string_view name; ///< of the file
  std::string_view text;
};

/// Every one, sorted by name.
std::span<const KernelText> kernelTexts();

} // namespace mlac
