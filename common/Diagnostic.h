// Diagnostic: what is wrong in a text, where, and what to write instead.
#pragma once

#include "common/SourceText.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mlac {

enum class Severity { Error, Warning };

/// A second place, or a remark, that belongs to a diagnostic.
struct DiagnosticNote {
  std::optional<Span> span;
  std::string message;
};

/// One finding. `message` names the limit and the value found; `help` says what to write instead.
struct Diagnostic {
  Severity severity = Severity::Error;
  Span span;
  std::string message;
  std::vector<DiagnosticNote> notes;
  std::string help;

  Diagnostic withNote(std::optional<Span> where, std::string text) &&;
  Diagnostic withHelp(std::string text) &&;
};

/// An error at `span`; add to it with `withNote` and `withHelp`.
Diagnostic errorAt(Span span, std::string message);

/// Collects the findings of one text. Counts all, keeps the first `kShown` by place, so noise costs
/// bounded memory.
class DiagnosticList {
public:
  static constexpr std::size_t kShown = 20;

  void add(Diagnostic diagnostic);

  std::size_t errorCount() const { return errors; }

  bool hasErrors() const { return errors != 0; }

  /// The first `kShown` diagnostics, ordered by place.
  const std::vector<Diagnostic>& shown() const { return kept; }

  /// How many were counted and dropped.
  std::size_t hiddenCount() const { return added - kept.size(); }

private:
  std::vector<Diagnostic> kept;
  std::size_t added = 0;
  std::size_t errors = 0;
};

/// `name:line:column: error: message`, the source line (a window of a long one), a caret, notes,
/// `help:`. Ends in a newline.
std::string renderDiagnostic(const SourceText& source, const Diagnostic& diagnostic);

/// All shown diagnostics, and a last line that counts the rest.
std::string renderDiagnostics(const SourceText& source, const DiagnosticList& list);

/// The text between backquotes, made safe to print: clipped to about 40 columns, control characters
/// replaced.
std::string quoteForMessage(std::string_view text);

} // namespace mlac
