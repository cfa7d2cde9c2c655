#include "runtime/bundle/RuleJson.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <stdexcept>

namespace mlac {
namespace {

using Json = nlohmann::json;

Json ruleJson(const Rule& rule) {
  Json nodes = Json::array();
  for (const ExprNode& node : rule)
    nodes.push_back(Json::array({static_cast<int>(node.op),
                                 static_cast<int>(node.type),
                                 Json(node.operands),
                                 node.integer,
                                 node.real}));
  return nodes;
}

[[noreturn]] void refuse(const std::string& path, const std::string& what) {
  throw std::invalid_argument(fmt::format("{}: {}", path, what));
}

/// An enumerator by its number, at most `last`.
template <typename T>
T numbered(const Json& value, T last, const std::string& path) {
  const auto number = value.get<std::int64_t>();
  if (number < 0 || number > static_cast<std::int64_t>(last))
    refuse(path, fmt::format("{} is no kind of it", number));
  return static_cast<T>(number);
}

std::int32_t wholeOf(const Json& value, const std::string& path) {
  const auto number = value.get<std::int64_t>();
  if (number < std::numeric_limits<std::int32_t>::min() ||
      number > std::numeric_limits<std::int32_t>::max())
    refuse(path, fmt::format("{} is no i32", number));
  return static_cast<std::int32_t>(number);
}

ExprNode readNode(const Json& value, const std::string& path) {
  ExprNode node;
  node.op = numbered(value.at(0), ExprOp::SlidingWindow, path);
  node.type = numbered(value.at(1), ExprType::F32, path);
  for (std::size_t i = 0; i < node.operands.size(); ++i)
    node.operands[i] = wholeOf(value.at(2).at(i), path);
  node.integer = wholeOf(value.at(3), path);
  node.real = value.at(4).get<float>();
  return node;
}

void check(const Status& status, const std::string& path) {
  if (!status)
    refuse(path, status.error().message);
}

Rule readRule(const Json& object,
              const char* name,
              const std::string& variantPath,
              const Variant& variant,
              ExprType result) {
  const std::string path = fmt::format("{}.{}", variantPath, name);
  Rule rule;
  if (object.contains(name))
    for (const Json& node : object.at(name))
      rule.push_back(readNode(node, path));
  check(checkRule(rule, variant.params, result), path);
  return rule;
}

} // namespace

void writeRules(const Variant& variant, Json& object) {
  Json& params = object["params"] = Json::array();
  for (const RuleParam& param : variant.params)
    params.push_back({{"name", param.name},
                      {"type", static_cast<int>(param.type)},
                      {"kind", static_cast<int>(param.kind)},
                      {"value", param.value ? Json(*param.value) : Json()}});
  object["score"] = ruleJson(variant.score);
  object["mask"] = ruleJson(variant.mask);
  object["sink"] = variant.sink;
}

void readRules(const Json& object, const std::string& path, Variant& variant) {
  try {
    if (object.contains("params"))
      for (const Json& one : object.at("params")) {
        RuleParam param;
        param.name = one.at("name").get<std::string>();
        param.type = numbered(one.at("type"), ExprType::F32, path);
        param.kind = numbered(one.at("kind"), ParamKind::PerToken, path);
        if (const Json& value = one.at("value"); !value.is_null())
          param.value = value.get<double>();
        variant.params.push_back(std::move(param));
      }
    check(checkRuleParams(variant.params), path + ".params");
    variant.score = readRule(object, "score", path, variant, ExprType::F32);
    variant.mask = readRule(object, "mask", path, variant, ExprType::Bool);
    variant.sink = object.value("sink", false);
  } catch (const Json::exception& error) {
    refuse(path, error.what());
  }
}

} // namespace mlac
