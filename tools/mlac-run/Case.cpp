#include "tools/mlac-run/Case.h"

#include "runtime/FileIo.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <map>

namespace mlac {
namespace {

using Json = nlohmann::json;
using verify::ProblemOptions;

template <typename Target>
using Setters = std::map<std::string, std::function<void(Target&, const Json&)>>;

/// Writes a JSON value to a member.
template <typename Target, typename Member>
std::function<void(Target&, const Json&)> into(Member Target::* member) {
  return [member](Target& target, const Json& value) { value.get_to(target.*member); };
}

void setRequestTables(ProblemOptions& options, const Json& value) {
  const std::map<std::string, verify::RequestTables> known = {
      {"uniform", verify::RequestTables::Uniform},
      {"query_start", verify::RequestTables::QueryStart},
      {"token_request", verify::RequestTables::TokenRequest}};
  const auto found = known.find(value.get<std::string>());
  if (found == known.end())
    throw std::invalid_argument("uniform, query_start or token_request are possible");
  options.requestTables = found->second;
}

const Setters<ProblemOptions>& problemSetters() {
  using O = ProblemOptions;
  static const Setters<O> setters = {
      {"tokens", into(&O::tokens)},
      {"requests", into(&O::requests)},
      {"context", into(&O::context)},
      {"seed", into(&O::seed)},
      {"request_tables", setRequestTables},
      {"ragged_lengths", into(&O::raggedLengths)},
      {"empty_rows", into(&O::emptyRows)},
      {"explicit_key_end", into(&O::explicitKeyEnd)},
      {"topk_lengths", into(&O::topkLengths)},
      {"scattered_invalid", into(&O::scatteredInvalid)},
      {"duplicates", into(&O::duplicates)},
      {"identity_indices", into(&O::identityIndices)},
      {"out_of_range", into(&O::outOfRange)},
      {"missing_pages", into(&O::missingPages)},
      {"bad_requests", into(&O::badRequests)},
      {"split_query", into(&O::splitQuery)},
      {"pad_strides", into(&O::padStrides)},
      {"scale_on_device", into(&O::scaleOnDevice)},
      {"infinite_sinks", into(&O::infiniteSinks)},
      {"query_factor", into(&O::queryFactor)},
      {"key_factor", into(&O::keyFactor)},
      {"scale", [](O& options, const Json& value) { options.scale = value.get<float>(); }},
      {"page_bias", into(&O::pageBias)}};
  return setters;
}

const Setters<Case>& caseSetters() {
  static const Setters<Case> setters = {
      {"bundle", into(&Case::bundle)},
      {"family", into(&Case::family)},
      {"kernel", [](Case& one, const Json& value) { value.get_to(one.gpu.kernel); }},
      {"splits", [](Case& one, const Json& value) { value.get_to(one.gpu.splits); }},
      {"balance", [](Case& one, const Json& value) { value.get_to(one.gpu.balance); }},
      {"reference_tokens", into(&Case::referenceTokens)},
      {"merge", into(&Case::merge)},
      {"bench", into(&Case::bench)},
      {"iterations", into(&Case::iterations)}};
  return setters;
}

constexpr const char* kStress = "stress";

Error keyError(const std::string& where, const std::string& key, const std::string& what) {
  return {ErrorCode::InvalidInput, fmt::format("{}: \"{}\": {}", where, key, what)};
}

template <typename Target>
Status apply(const Setters<Target>& setters,
             Target& target,
             const std::string& key,
             const Json& value,
             const std::string& where) {
  try {
    setters.at(key)(target, value);
    return Unit{};
  } catch (const std::exception& error) {
    return keyError(where, key, error.what());
  }
}

Json withDefaults(const Json& defaults, const Json& object) {
  Json merged = defaults;
  merged.update(object);
  return merged;
}

Result<std::vector<Case>> casesOf(const Json& suite, const std::string& path) {
  const bool listOnly = suite.is_array();
  const Json& list = listOnly ? suite : suite.at("cases");
  const Json defaults = listOnly ? Json::object() : suite.value("defaults", Json::object());
  if (!list.is_array())
    return keyError(path, "cases", "a list is needed");
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::vector<Case> cases;
  for (const Json& object : list) {
    const std::string where = fmt::format("{}, case {}", path, cases.size());
    MLAC_TRY(one, caseFromJson(withDefaults(defaults, object), where));
    if (one.bundle.empty())
      return keyError(where, "bundle", "is missing");
    one.bundle = (folder / one.bundle).string();
    cases.push_back(std::move(one));
  }
  return cases;
}

} // namespace

Result<Case> caseFromJson(const Json& object, const std::string& where) {
  if (!object.is_object())
    return Error{ErrorCode::InvalidInput, where + ": a case is a JSON object"};
  Case one;
  Json problem = Json::object();
  for (const auto& [key, value] : object.items()) {
    if (caseSetters().contains(key)) {
      MLAC_CHECK(apply(caseSetters(), one, key, value, where));
    } else if (problemSetters().contains(key)) {
      ProblemOptions tried;
      MLAC_CHECK(apply(problemSetters(), tried, key, value, where));
      problem[key] = value;
    } else if (key == kStress && value.is_boolean()) {
      problem[key] = value;
    } else {
      return keyError(where, key, "is no key of a case, or has a value of another kind");
    }
  }
  one.problem = std::make_shared<const Json>(std::move(problem));
  return one;
}

Result<std::vector<Case>> readSuite(const std::string& path) {
  MLAC_TRY(text, readFile(path));
  try {
    return casesOf(Json::parse(text), path);
  } catch (const Json::exception& error) {
    return Error{ErrorCode::InvalidInput, fmt::format("{}: {}", path, error.what())};
  }
}

Result<ProblemOptions> problemOptionsOf(const Case& one, const Variant& variant) {
  const Json& written = *one.problem;
  ProblemOptions options;
  options.tokens = written.value("tokens", options.tokens);
  options.context = written.value("context", options.context);
  options.seed = written.value("seed", options.seed);
  if (written.value(kStress, false))
    options = verify::stressOptions(variant, options.tokens, options.context, options.seed);
  for (const auto& [key, value] : written.items())
    if (key != kStress)
      MLAC_CHECK(apply(problemSetters(), options, key, value, "case"));
  return options;
}

} // namespace mlac
