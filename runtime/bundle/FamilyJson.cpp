#include "runtime/bundle/FamilyJson.h"

#include "runtime/bundle/RuleJson.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mlac {

using Json = nlohmann::json;

// The first pair of each table is what the library answers for an unknown word, so it is one no
// writer uses.
constexpr int kUnknown = -1;

NLOHMANN_JSON_SERIALIZE_ENUM(ElementType,
                             {{static_cast<ElementType>(kUnknown), nullptr},
                              {ElementType::BF16, "bf16"},
                              {ElementType::F16, "f16"},
                              {ElementType::F32, "f32"}})

NLOHMANN_JSON_SERIALIZE_ENUM(IterateKind,
                             {{static_cast<IterateKind>(kUnknown), nullptr},
                              {IterateKind::Dense, "dense"},
                              {IterateKind::Window, "window"},
                              {IterateKind::TopkLogical, "topk_logical"},
                              {IterateKind::TopkPhysical, "topk_physical"}})

NLOHMANN_JSON_SERIALIZE_ENUM(LseMode,
                             {{static_cast<LseMode>(kUnknown), nullptr},
                              {LseMode::None, "none"},
                              {LseMode::Natural, "natural"},
                              {LseMode::Base2, "base2"}})

NLOHMANN_JSON_SERIALIZE_ENUM(KernelRole,
                             {{static_cast<KernelRole>(kUnknown), nullptr},
                              {KernelRole::Attention, "attention"},
                              {KernelRole::Combine, "combine"},
                              {KernelRole::Convert, "convert"},
                              {KernelRole::Schedule, "schedule"},
                              {KernelRole::Merge, "merge"}})

NLOHMANN_JSON_SERIALIZE_ENUM(ParamType,
                             {{static_cast<ParamType>(kUnknown), nullptr},
                              {ParamType::Pointer, "pointer"},
                              {ParamType::I32, "i32"},
                              {ParamType::I64, "i64"},
                              {ParamType::F32, "f32"}})

NLOHMANN_JSON_SERIALIZE_ENUM(FieldType,
                             {{static_cast<FieldType>(kUnknown), nullptr},
                              {FieldType::E4M3, "e4m3"},
                              {FieldType::E5M2, "e5m2"},
                              {FieldType::E2M1, "e2m1"},
                              {FieldType::E8M0, "e8m0"},
                              {FieldType::BF16, "bf16"},
                              {FieldType::F16, "f16"},
                              {FieldType::F32, "f32"}})

NLOHMANN_JSON_SERIALIZE_ENUM(FieldKind,
                             {{static_cast<FieldKind>(kUnknown), nullptr},
                              {FieldKind::Latent, "latent"},
                              {FieldKind::Rope, "rope"},
                              {FieldKind::Scale, "scale"},
                              {FieldKind::Pad, "pad"}})

namespace {

/// One description of each struct's members serves both directions.
class Writer {
public:
  template <typename T>
  void member(const char* name, const T& value) {
    object[name] = value;
  }

  Json object = Json::object();
};

class Reader {
public:
  Reader(const Json& object, std::string path) : object(object), path(std::move(path)) {}

  template <typename T>
  void member(const char* name, T& value) {
    try {
      object.at(name).get_to(value);
    } catch (const Json::exception& error) {
      throw std::invalid_argument(fmt::format("{}.{}: {}", path, name, error.what()));
    }
    if constexpr (std::is_enum_v<T>)
      if (static_cast<int>(value) == kUnknown)
        throw std::invalid_argument(
            fmt::format("{}.{}: unknown word {}", path, name, object.at(name).dump()));
  }

  const Json& object;
  std::string path;
};

template <typename Visitor, typename F>
void visitRecordField(Visitor& visitor, F& field) {
  visitor.member("kind", field.kind);
  visitor.member("type", field.type);
  visitor.member("count", field.count);
  visitor.member("of", field.of);
  visitor.member("group", field.group);
  visitor.member("in_tail", field.inTail);
}

template <typename Visitor, typename V>
void visitVariant(Visitor& visitor, V& variant) {
  visitor.member("name", variant.name);
  visitor.member("heads", variant.heads);
  visitor.member("latent", variant.latent);
  visitor.member("rope", variant.rope);
  visitor.member("value_is_record", variant.valueIsRecord);
  visitor.member("query", variant.query);
  visitor.member("output", variant.output);
  visitor.member("page", variant.page);
  visitor.member("iterate", variant.iterate);
  visitor.member("topk", variant.topk);
  visitor.member("window", variant.window);
  visitor.member("min_queries", variant.minQueries);
  visitor.member("max_queries", variant.maxQueries);
  visitor.member("causal", variant.causal);
  visitor.member("lse", variant.lse);
  visitor.member("empty_lse_positive", variant.emptyLsePositive);
  visitor.member("max_logit", variant.maxLogit);
}

template <typename Visitor, typename K>
void visitKernel(Visitor& visitor, K& kernel) {
  visitor.member("role", kernel.role);
  visitor.member("entry", kernel.entry);
  visitor.member("schedule", kernel.schedule);
  visitor.member("param_bytes", kernel.paramBytes);
  visitor.member("threads", kernel.threads);
  visitor.member("dynamic_smem_bytes", kernel.dynamicSmemBytes);
  visitor.member("ctas_per_token", kernel.ctasPerToken);
  visitor.member("query_group", kernel.queryGroup);
  visitor.member("keys_per_tile", kernel.keysPerTile);
  visitor.member("starts_early", kernel.startsEarly);
}

template <typename Visitor, typename F>
void visitField(Visitor& visitor, F& field) {
  visitor.member("name", field.name);
  visitor.member("type", field.type);
  visitor.member("offset", field.offset);
}

template <typename Visitor, typename R>
void visitRow(Visitor& visitor, R& row) {
  visitor.member("kernel", row.kernel);
  visitor.member("ctas_per_sm", row.ctasPerSm);
  visitor.member("fixed_ns", row.fixedNs);
  visitor.member("tile_ns", row.tileNs);
  visitor.member("tile_bytes", row.tileBytes);
  visitor.member("combine_fixed_ns", row.combineFixedNs);
  visitor.member("combine_split_ns", row.combineSplitNs);
  visitor.member("max_splits", row.maxSplits);
}

template <typename Visitor, typename F>
void visitFamily(Visitor& visitor, F& family) {
  visitor.member("target", family.target);
  visitor.member("spec", family.specText);
  visitor.member("template_digest", family.templateDigest);
  visitor.member("compiler_build", family.compilerBuild);
  visitor.member("bytes_per_ns_per_sm", family.bytesPerNsPerSm);
}

/// Records of the language's 16-bit types are written as their name.
Json recordJson(const Record& record) {
  if (record == Record(ElementType::BF16) || record == Record(ElementType::F16))
    return record.name;
  Json json = {{"name", record.name}, {"page_align", record.pageAlign}, {"fields", Json::array()}};
  for (const RecordField& field : record.fields) {
    Writer one;
    visitRecordField(one, field);
    json["fields"].push_back(std::move(one.object));
  }
  return json;
}

Json kernelJson(const Kernel& kernel) {
  Writer writer;
  visitKernel(writer, kernel);
  Json& params = writer.object["params"] = Json::array();
  for (const ParamField& field : kernel.params) {
    Writer one;
    visitField(one, field);
    params.push_back(std::move(one.object));
  }
  return std::move(writer.object);
}

const Json& arrayAt(const Json& object, const char* name, const std::string& path) {
  const auto found = object.find(name);
  if (found == object.end() || !found->is_array())
    throw std::invalid_argument(fmt::format("{}.{}: a list is needed", path, name));
  return *found;
}

Kernel readKernel(const Json& object, const std::string& path) {
  Kernel kernel;
  Reader reader(object, path);
  visitKernel(reader, kernel);
  for (const Json& one : arrayAt(object, "params", path)) {
    Reader field(one, fmt::format("{}.params[{}]", path, kernel.params.size()));
    visitField(field, kernel.params.emplace_back());
  }
  return kernel;
}

Record readRecord(const Json& object, const std::string& path, const Variant& variant) {
  for (const ElementType type : {ElementType::BF16, ElementType::F16})
    if (object == elementName(type))
      return type;
  if (!object.is_object())
    throw std::invalid_argument(fmt::format("{}: unknown word {}", path, object.dump()));
  Record record;
  Reader reader(object, path);
  reader.member("name", record.name);
  reader.member("page_align", record.pageAlign);
  for (const Json& one : arrayAt(object, "fields", path)) {
    Reader field(one, fmt::format("{}.fields[{}]", path, record.fields.size()));
    visitRecordField(field, record.fields.emplace_back());
  }
  if (const auto fault = faultOf(record))
    throw std::invalid_argument(fmt::format("{}: {}", path, fault->message));
  if (record != record.sized(variant.latent, variant.rope))
    throw std::invalid_argument(fmt::format("{}: its counts contradict each other", path));
  return record;
}

KernelFamily readFamily(const Json& object, const std::string& path) {
  KernelFamily family;
  Reader reader(object, path);
  visitFamily(reader, family);
  Json variantObject;
  reader.member("variant", variantObject);
  Reader variant(variantObject, path + ".variant");
  visitVariant(variant, family.variant);
  Json cache;
  variant.member("cache", cache);
  family.variant.cache = readRecord(cache, path + ".variant.cache", family.variant);
  Json scale;
  variant.member("scale", scale);
  if (!scale.is_null()) {
    float value = 0;
    variant.member("scale", value);
    family.variant.scale = value;
  }
  readRules(variantObject, path + ".variant", family.variant);
  for (const Json& one : arrayAt(object, "kernels", path))
    family.kernels.push_back(
        readKernel(one, fmt::format("{}.kernels[{}]", path, family.kernels.size())));
  for (const Json& one : arrayAt(object, "table", path)) {
    Reader row(one, fmt::format("{}.table[{}]", path, family.table.size()));
    visitRow(row, family.table.emplace_back());
  }
  return family;
}

} // namespace

std::string familyToJson(const KernelFamily& family) {
  Writer writer;
  visitFamily(writer, family);
  Writer variant;
  visitVariant(variant, family.variant);
  variant.object["cache"] = recordJson(family.variant.cache);
  variant.object["scale"] = family.variant.scale ? Json(*family.variant.scale) : Json();
  writeRules(family.variant, variant.object);
  writer.object["variant"] = std::move(variant.object);
  Json& kernels = writer.object["kernels"] = Json::array();
  for (const Kernel& kernel : family.kernels)
    kernels.push_back(kernelJson(kernel));
  Json& table = writer.object["table"] = Json::array();
  for (const PlanRow& row : family.table) {
    Writer one;
    visitRow(one, row);
    table.push_back(std::move(one.object));
  }
  constexpr int kIndent = 2;
  return writer.object.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<KernelFamily> familyFromJson(std::string_view text, std::string_view where) {
  try {
    return readFamily(Json::parse(text), std::string(where));
  } catch (const std::exception& error) {
    return Error{ErrorCode::InvalidInput, fmt::format("{}: {}", where, error.what())};
  }
}

} // namespace mlac
