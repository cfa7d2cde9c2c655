// mlac::compile: spec text to kernels that are loaded and ready to launch.
#include "common/SourceText.h"
#include "common/Target.h"
#include "compiler/Compiler.h"
#include "compiler/spec/Load.h"
#include "mlac/mlac.hpp"
#include "runtime/Family.h"

#include <optional>
#include <string>
#include <vector>

namespace mlac {
namespace {

// What diagnostics call a text that came from no file.
constexpr const char* kSourceName = "<spec>";

Result<Variant> variantOf(std::string_view specText, const std::string& attention) {
  const SourceText source(kSourceName, std::string(specText));
  MLAC_TRY(variants, loadVariants(source));
  std::optional<std::string> name;
  if (!attention.empty())
    name = attention;
  return selectVariant(variants, name, kSourceName);
}

} // namespace

Result<Family>
compile(std::string_view specText, const Device& device, const CompileOptions& options) {
  CompileRequest request;
  MLAC_TRY(variant, variantOf(specText, options.attention));
  request.variant = variant;
  const std::string& targetName = options.target.empty() ? device.targetName() : options.target;
  MLAC_TRY(target, findTarget(targetName));
  request.target = target;
  for (const std::string& text : options.overrides) {
    MLAC_TRY(set, parseOverride(text));
    request.overrides.push_back(set);
  }
  MLAC_TRY(compiled, compileFamily(request));
  return loadFamily(compiled.family, device, cachedNvrtc());
}

} // namespace mlac
