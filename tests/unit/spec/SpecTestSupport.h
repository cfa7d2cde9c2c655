// SpecTestSupport: specs with one line changed, and what the front end says about them.
#pragma once

#include "compiler/spec/Format.h"
#include "compiler/spec/Load.h"
#include "compiler/spec/Parser.h"
#include "compiler/spec/PrintVariant.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace mlac::test {

/// A right attention, one word a line from line 2 on, with `lines` in place of those that begin
/// with the same word. An empty replacement leaves the line out; a word that is not there yet is
/// added at the end.
inline std::string specWith(const std::map<std::string, std::string>& lines = {},
                            const std::string& name = "decode") {
  const std::pair<const char*, const char*> kLines[] = {{"heads", "heads 8"},
                                                        {"latent", "latent 512"},
                                                        {"rope", "rope 64"},
                                                        {"cache", "cache bf16 page 64"},
                                                        {"iterate", "iterate dense"},
                                                        {"scale", "scale 0.0625"}};
  std::map<std::string, std::string> rest = lines;
  std::string text = "attention " + name + " {\n";
  for (const auto& [word, line] : kLines) {
    const auto found = rest.find(word);
    const std::string chosen = found == rest.end() ? line : found->second;
    if (!chosen.empty())
      text += "  " + chosen + "\n";
    rest.erase(word);
  }
  for (const auto& [word, line] : rest)
    text += "  " + line + "\n";
  return text + "}\n";
}

/// What the front end prints about `text`, empty when it is right.
inline std::string diagnose(const std::string& text) {
  const auto loaded = loadVariants(SourceText("t.mlac", text));
  return loaded ? std::string() : loaded.error().message;
}

/// The one variant that `text` describes; a test failure otherwise.
inline Variant load(const std::string& text) {
  auto loaded = loadVariants(SourceText("t.mlac", text));
  if (!loaded || loaded->size() != 1) {
    ADD_FAILURE() << (loaded ? "not one attention" : loaded.error().message) << text;
    return {};
  }
  return loaded->front();
}

/// `text` as the formatter prints it; a test failure when it does not parse.
inline std::string format(const std::string& text) {
  const SourceText source("t.mlac", text);
  DiagnosticList diagnostics;
  const ParsedSpec spec = parseSpec(source, diagnostics);
  EXPECT_FALSE(diagnostics.hasErrors()) << renderDiagnostics(source, diagnostics);
  return formatSpec(spec);
}

inline std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// Expects diagnostics that hold one error, at line:column `place` of the spec, with its remedy.
inline void expectOneError(const std::string& text,
                           const std::string& place,
                           const std::string& message,
                           const std::string& help) {
  EXPECT_TRUE(contains(text, "t.mlac:" + place + ": error: ")) << text;
  EXPECT_TRUE(contains(text, message)) << text;
  EXPECT_TRUE(contains(text, "help: " + help)) << text;
  EXPECT_EQ(countOf(text, "error: "), 1u) << text;
}

} // namespace mlac::test
