#include "compiler/spec/Names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace mlac {
namespace {

constexpr std::size_t kLongestName = 64;

/// C++20's keywords and alternative tokens, sorted.
constexpr auto kKeywords = std::to_array<std::string_view>({
    "alignas",       "alignof",     "and",
    "and_eq",        "asm",         "auto",
    "bitand",        "bitor",       "bool",
    "break",         "case",        "catch",
    "char",          "char16_t",    "char32_t",
    "char8_t",       "class",       "co_await",
    "co_return",     "co_yield",    "compl",
    "concept",       "const",       "const_cast",
    "consteval",     "constexpr",   "constinit",
    "continue",      "decltype",    "default",
    "delete",        "do",          "double",
    "dynamic_cast",  "else",        "enum",
    "explicit",      "export",      "extern",
    "false",         "float",       "for",
    "friend",        "goto",        "if",
    "inline",        "int",         "long",
    "mutable",       "namespace",   "new",
    "noexcept",      "not",         "not_eq",
    "nullptr",       "operator",    "or",
    "or_eq",         "private",     "protected",
    "public",        "register",    "reinterpret_cast",
    "requires",      "return",      "short",
    "signed",        "sizeof",      "static",
    "static_assert", "static_cast", "struct",
    "switch",        "template",    "this",
    "thread_local",  "throw",       "true",
    "try",           "typedef",     "typeid",
    "typename",      "union",       "unsigned",
    "using",         "virtual",     "void",
    "volatile",      "wchar_t",     "while",
    "xor",           "xor_eq",
});
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));

} // namespace

std::optional<std::string> whyNameIsRefused(std::string_view name) {
  if (name.size() > kLongestName)
    return fmt::format("has {} characters; at most {} are allowed", name.size(), kLongestName);
  if (std::binary_search(kKeywords.begin(), kKeywords.end(), name))
    return "is a C++ keyword, and names reach the generated C++";
  if (name.starts_with("mlac"))
    return "begins with `mlac`, which the generated code keeps for itself";
  const bool isReservedByCpp = name.find("__") != name.npos || (name.size() > 1 && name[0] == '_' &&
                                                                name[1] >= 'A' && name[1] <= 'Z');
  if (isReservedByCpp)
    return "has a form that C++ reserves (`__` anywhere, or `_` and a capital at the start)";
  return std::nullopt;
}

} // namespace mlac
