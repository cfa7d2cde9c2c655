#include "compiler/codegen/ParamLayout.h"

#include "compiler/codegen/SourceWriter.h"

#include <fmt/format.h>

#include <string_view>

namespace mlac {
namespace {

struct Field {
  const char* type; ///< as the source spells it; pointers end in '*'
  std::string name;
};

/// Fields that belong together, under one comment.
struct Group {
  const char* comment;
  std::vector<Field> fields;
};

Group partials() {
  return {"Results of split rows, [token][tile of 8 heads][split], for the combine kernel.",
          {{"void*", "partialOut"}, {"void*", "partialLse"}}};
}

std::vector<Group> queryGroups(const Variant& variant) {
  std::vector<Group> groups = {
      {"Queries, [token][head][dim]; strides in elements.",
       {{"const void*", "qLatent"}, {"i64", "qLatentTokenStride"}, {"i64", "qLatentHeadStride"}}}};
  if (variant.rope > 0)
    groups[0].fields.insert(
        groups[0].fields.end(),
        {{"const void*", "qRope"}, {"i64", "qRopeTokenStride"}, {"i64", "qRopeHeadStride"}});
  return groups;
}

Group cache() {
  return {"The paged cache.",
          {{"const void*", "cache"}, {"i64", "pageStrideBytes"}, {"i64", "tokenStrideBytes"}}};
}

Group tables() {
  return {"Requests: block tables, lengths, and which tokens are whose. Null where not given.",
          {{"const i32*", "blockTable"},
           {"i64", "blockTableStride"},
           {"const i32*", "queryStart"},
           {"const i32*", "tokenRequest"},
           {"const i32*", "seqLens"},
           {"const i32*", "keyEnd"},
           {"i32", "maxPages"},
           {"i32", "requests"}}};
}

Group indices() {
  return {"Rows of the indexer's choice, [token][top-k]; topkLength may be null.",
          {{"const i32*", "indices"}, {"i64", "indicesStride"}, {"const i32*", "topkLength"}}};
}

Group launch() {
  return {"The launch. Rows are cut by the schedule, or, where it is null, each into `splits`.",
          {{"void*", "schedule"}, {"i32", "tokens"}, {"i32", "splits"}}};
}

Group outputs(const Variant& variant) {
  Group group = {"Outputs; strides in elements.",
                 {{"void*", "out"}, {"i64", "outTokenStride"}, {"i64", "outHeadStride"}}};
  const auto add = [&](const char* pointer, const char* tokenStride, const char* headStride) {
    group.fields.insert(group.fields.end(),
                        {{"void*", pointer}, {"i64", tokenStride}, {"i64", headStride}});
  };
  if (variant.lse != LseMode::None)
    add("lse", "lseTokenStride", "lseHeadStride");
  if (variant.maxLogit)
    add("maxLogit", "maxLogitTokenStride", "maxLogitHeadStride");
  return group;
}

void addOutputs(std::vector<Group>& groups, const Variant& variant) {
  groups.push_back(outputs(variant));
  groups.push_back(partials());
  if (variant.maxLogit)
    groups.back().fields.push_back({"void*", "partialMax"});
}

Group sinks() {
  return {"Sinks, [head].", {{"const float*", "sinks"}}};
}

const char* typeOf(const RuleParam& param) {
  const bool isReal = param.type == ExprType::F32;
  if (param.kind == ParamKind::Scalar)
    return isReal ? "float" : "i32";
  return isReal ? "const float*" : "const i32*";
}

void addRules(std::vector<Group>& groups, const Variant& variant) {
  Group params = {"Parameters of the rules; arrays are [head] or [token].", {}};
  for (const RuleParam& param : variant.params)
    if (param.isArgument())
      params.fields.push_back({typeOf(param), paramFieldName(param.name)});
  if (!params.fields.empty())
    groups.push_back(params);
  if (variant.sink)
    groups.push_back(sinks());
}

std::vector<Group> attentionGroups(const Variant& variant) {
  std::vector<Group> groups = queryGroups(variant);
  groups.push_back(cache());
  groups.back().fields.push_back({"i64", "slots"});
  if (variant.isLogical())
    groups.push_back(tables());
  if (variant.isTopk())
    groups.push_back(indices());
  addOutputs(groups, variant);
  if (!variant.scale)
    groups.push_back({"The softmax scale: read from scaleDevice unless that is null.",
                      {{"const float*", "scaleDevice"}, {"float", "scale"}}});
  addRules(groups, variant);
  groups.push_back(launch());
  groups.back().fields.push_back({"i32", "splitsReciprocal"});
  return groups;
}

std::vector<Group> combineGroups(const Variant& variant) {
  std::vector<Group> groups;
  addOutputs(groups, variant);
  if (variant.sink)
    groups.push_back(sinks());
  groups.push_back(launch());
  return groups;
}

std::vector<Group> scheduleGroups(const Variant& variant) {
  std::vector<Group> groups;
  if (variant.isTopk())
    groups.push_back(
        {"Entries of each token that are read; may be null.", {{"const i32*", "topkLength"}}});
  else
    groups.push_back({"Requests: lengths, and which tokens are whose. Null where not given.",
                      {{"const i32*", "queryStart"},
                       {"const i32*", "tokenRequest"},
                       {"const i32*", "seqLens"},
                       {"const i32*", "keyEnd"},
                       {"i32", "requests"}}});
  groups.push_back({"What is written, a WorkList.", {{"void*", "schedule"}}});
  groups.push_back(
      {"Into how many parts the batch is cut, and what a piece costs beside its tiles, "
       "in tiles.",
       {{"i32", "parts"}, {"i32", "pieceTiles"}}});
  groups.push_back({"The launch.", {{"i32", "tokens"}}});
  return groups;
}

std::vector<Group> convertGroups() {
  return {tables(),
          indices(),
          {"Slots, [token][top-k], and how many of a token's are valid; validCounts may be null.",
           {{"void*", "slotsOut"}, {"i64", "slotsOutStride"}, {"void*", "validCounts"}}},
          {"Cache geometry, in slots.", {{"i64", "slots"}, {"i64", "slotsPerBlock"}}},
          {"The launch.", {{"i32", "tokens"}}}};
}

/// Adds a tensor of every part: its pointer, and strides of parts, tokens and heads.
void addParts(Group& group, const char* const (&names)[4]) {
  group.fields.push_back({"const void*", names[0]});
  for (const char* stride : {names[1], names[2], names[3]})
    group.fields.push_back({"i64", stride});
}

std::vector<Group> mergeGroups(const Variant& variant) {
  Group parts = {"Results of each part, [part][token][head][dim]; strides in elements.", {}};
  const char* out[] = {"partOut", "partOutPartStride", "partOutTokenStride", "partOutHeadStride"};
  const char* lse[] = {"partLse", "partLsePartStride", "partLseTokenStride", "partLseHeadStride"};
  const char* maxLogit[] = {"partMaxLogit",
                            "partMaxLogitPartStride",
                            "partMaxLogitTokenStride",
                            "partMaxLogitHeadStride"};
  addParts(parts, out);
  addParts(parts, lse);
  if (variant.maxLogit)
    addParts(parts, maxLogit);
  return {parts,
          {"A term per head for the denominator, in natural units; may be null.",
           {{"const void*", "sinks"}}},
          outputs(variant),
          {"The launch. Parts are of the output's type unless f32Parts is not 0.",
           {{"i32", "tokens"}, {"i32", "parts"}, {"i32", "f32Parts"}}}};
}

std::vector<Group> groupsOf(const Variant& variant, KernelRole role) {
  switch (role) {
  case KernelRole::Attention:
    return attentionGroups(variant);
  case KernelRole::Combine:
    return combineGroups(variant);
  case KernelRole::Convert:
    return convertGroups();
  case KernelRole::Schedule:
    return scheduleGroups(variant);
  case KernelRole::Merge:
    return mergeGroups(variant);
  }
  return {};
}

ParamType typeOf(std::string_view spelled) {
  if (spelled.ends_with('*'))
    return ParamType::Pointer;
  if (spelled == "i64")
    return ParamType::I64;
  return spelled == "float" ? ParamType::F32 : ParamType::I32;
}

std::uint32_t bytesOf(ParamType type) {
  return type == ParamType::Pointer || type == ParamType::I64 ? 8 : 4;
}

} // namespace

ParamLayout layoutParams(const Variant& variant, KernelRole role) {
  ParamLayout layout;
  for (const Group& group : groupsOf(variant, role))
    for (const Field& field : group.fields) {
      const ParamType type = typeOf(field.type);
      const std::uint32_t size = bytesOf(type);
      const std::uint32_t offset = (layout.bytes + size - 1) / size * size;
      layout.fields.push_back({field.name, type, offset});
      layout.bytes = offset + size;
    }
  layout.bytes = (layout.bytes + 7) / 8 * 8;
  return layout;
}

void writeArgs(SourceWriter& out, const Variant& variant, KernelRole role) {
  out.line("/// What a launch passes. Pointers are device pointers.");
  out.open("struct Args");
  for (const Group& group : groupsOf(variant, role)) {
    out.line(fmt::format("// {}", group.comment));
    for (const Field& field : group.fields)
      out.line(fmt::format("{} {};", field.type, field.name));
  }
  out.close(";");
}

} // namespace mlac
