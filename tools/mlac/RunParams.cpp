#include "tools/mlac/RunParams.h"

#include "compiler/spec/Load.h"
#include "compiler/spec/PrintVariant.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace mlac {
namespace {

Error paramError(const std::string& text, const std::string& what) {
  return {ErrorCode::InvalidInput, fmt::format("--param {}: {}", text, what)};
}

Result<verify::GivenParam> parseParam(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == text.npos)
    return paramError(text, "write NAME=VALUE, such as cap=30");
  verify::GivenParam given{text.substr(0, equals), 0};
  const std::string number = text.substr(equals + 1);
  const char* end = number.data() + number.size();
  const auto parsed = std::from_chars(number.data(), end, given.value);
  if (parsed.ec != std::errc() || parsed.ptr != end)
    return paramError(text, fmt::format("'{}' is no number", number));
  return given;
}

std::string namesOf(const Variant& variant) {
  std::string names;
  for (const RuleParam& param : variant.params)
    names += " " + param.name;
  return names.empty() ? " none" : names;
}

/// The spec with its new defaults, under all rules of the language: another default may divide by
/// 0, or mask every key.
Status checkAgain(RunSubject& subject) {
  MLAC_TRY(variants, loadVariants(SourceText("--param", printVariant(subject.variant))));
  subject.variant = variants.front();
  return Unit{};
}

} // namespace

Result<std::vector<verify::GivenParam>> applyParams(RunSubject& subject,
                                                    const std::vector<std::string>& texts) {
  std::vector<verify::GivenParam> given;
  for (const std::string& text : texts) {
    MLAC_TRY(param, parseParam(text));
    const std::vector<RuleParam>& params = subject.variant.params;
    const auto found = std::find_if(
        params.begin(), params.end(), [&](const RuleParam& one) { return one.name == param.name; });
    if (found == params.end())
      return paramError(text,
                        fmt::format("'{}' has no such parameter; its parameters are:{}",
                                    subject.variant.name,
                                    namesOf(subject.variant)));
    if (const Status status = checkParamValue(*found, param.value); !status)
      return paramError(text, status.error().message);
    if (found->isArgument()) {
      given.push_back(param);
      continue;
    }
    if (subject.bundle)
      return paramError(text,
                        "the parameter has a default, which the bundle's kernels hold as a "
                        "constant; run the spec, or pack it again");
    MLAC_CHECK(overrideParam(subject.variant.params, param.name, param.value));
    MLAC_CHECK(checkAgain(subject));
  }
  return given;
}

} // namespace mlac
