// CommonOptions: options that several commands take, and what they lead to.
#pragma once

#include "common/Result.h"
#include "common/Target.h"
#include "common/Variant.h"
#include "compiler/Compiler.h"
#include "compiler/spec/Load.h"

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace mlac {

class Console;

/// A spec, what to generate it for, and the schedule's overrides.
struct SpecOptions {
  std::string reference; ///< FILE or FILE:NAME; `-` is standard input
  std::string arch;      ///< empty: the GPU present, or kFallbackTarget
  std::vector<std::string> overrides;
};

/// What is generated for where there is no GPU and no -a.
inline constexpr std::string_view kFallbackTarget = "sm_120";

/// Largest spec file that is read.
inline constexpr std::size_t kSpecFileLimitBytes = std::size_t{4} << 20;

/// --json
void addJsonOption(CLI::App& app, Console& console);

/// SPEC, -a and --set.
void addSpecOptions(CLI::App& app, SpecOptions& options);

/// -a alone.
void addArchOption(CLI::App& app, std::string& arch);

/// Reads a spec file; `-` is standard input.
Result<SourceText> readSpecFile(const std::string& file);

/// The attentions that `reference` names: one with a name, all of the file without. `defaults` may
/// be null.
Result<std::vector<Variant>> loadAttentions(std::string_view reference,
                                            std::vector<TakenDefault>* defaults = nullptr);

/// The one attention that `reference` names.
Result<Variant> loadAttention(std::string_view reference,
                              std::vector<TakenDefault>* defaults = nullptr);

/// The target called `arch`. Without a name the GPU's, else kFallbackTarget; either is said on
/// stderr.
Result<const Target*> chooseTarget(Console& console, const std::string& arch);

/// Everything `options` asks of the compiler.
Result<CompileRequest> compileRequestOf(Console& console,
                                        const SpecOptions& options,
                                        std::vector<TakenDefault>* defaults = nullptr);

} // namespace mlac
