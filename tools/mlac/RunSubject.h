// RunSubject: a spec or a bundle as `mlac run` is given it, and its kernels on a device.
#pragma once

#include "common/KernelFamily.h"
#include "common/Result.h"
#include "common/Variant.h"
#include "mlac/mlac.hpp"
#include "tools/mlac/CommonOptions.h"

#include <optional>
#include <string>

namespace mlac {

struct RunSubject {
  Variant variant;
  std::optional<Bundle> bundle; ///< set where the kernels come from one
  SpecOptions spec;             ///< set otherwise
};

/// Reads a spec (FILE or FILE:NAME) or a bundle (a folder, or FOLDER:NAME).
Result<RunSubject> loadSubject(const SpecOptions& options);

/// Generates or opens the kernels and loads them. The device's context must be current.
/// MissingDependency where they do not fit the device.
Result<Family> loadOn(const RunSubject& subject, const Device& device);

/// The kernels for a machine that has no target of its own: generated for -a, else for
/// kFallbackTarget; from a bundle those for the newest target it holds.
Result<KernelFamily> generatedKernels(const RunSubject& subject);

} // namespace mlac
