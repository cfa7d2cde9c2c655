#include "runtime/bundle/CubinJson.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace mlac {

using Json = nlohmann::json;

std::string cubinToJson(const CompileOutput& output) {
  const Resources& resources = output.resources;
  Json json = {{"log", output.log},
               {"registers", resources.registers},
               {"spill_store_bytes", resources.spillStoreBytes},
               {"spill_load_bytes", resources.spillLoadBytes},
               {"stack_bytes", resources.stackBytes},
               {"static_smem_bytes", resources.staticSmemBytes}};
  constexpr int kIndent = 2;
  return json.dump(kIndent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<CompileOutput> cubinFromJson(std::string_view text, std::string_view where) {
  try {
    const Json json = Json::parse(text);
    CompileOutput output;
    json.at("log").get_to(output.log);
    json.at("registers").get_to(output.resources.registers);
    json.at("spill_store_bytes").get_to(output.resources.spillStoreBytes);
    json.at("spill_load_bytes").get_to(output.resources.spillLoadBytes);
    json.at("stack_bytes").get_to(output.resources.stackBytes);
    json.at("static_smem_bytes").get_to(output.resources.staticSmemBytes);
    return output;
  } catch (const Json::exception& error) {
    return Error{ErrorCode::InvalidInput, fmt::format("{}: {}", where, error.what())};
  }
}

} // namespace mlac
