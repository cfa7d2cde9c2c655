// ArgumentReader: walks the arguments of one setting and reports the first that is wrong.
#pragma once

#include "common/Diagnostic.h"
#include "compiler/spec/Ast.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace mlac {

/// Which whole numbers a place accepts.
struct WholeRange {
  int low = 1;
  int high = 1;
  int multipleOf = 1;
};

/// After the first error every take fails without a further diagnostic, so a rule may read on
/// without asking.
class ArgumentReader {
public:
  ArgumentReader(const ast::Setting& setting, DiagnosticList& diagnostics)
      : arguments(setting.arguments), line(setting.span), diagnostics(diagnostics),
        rightLine(exampleOf(setting)) {}

  /// The same for a line of a record; `rightLine` is a remedy, as `example` returns it.
  ArgumentReader(const ast::RecordLine& line, std::string rightLine, DiagnosticList& diagnostics)
      : arguments(line.arguments), line(line.span), diagnostics(diagnostics),
        rightLine(std::move(rightLine)) {}

  bool failed() const { return hasFailed; }

  bool atEnd() const { return at == arguments.size(); }

  /// Moves over `spelling` when it comes next, and returns where it stands.
  std::optional<Span> takeIf(std::string_view spelling);

  /// Moves over `spelling`, which must come next.
  void expect(std::string_view spelling);

  /// Index of the choice that comes next; an error that lists the choices when none does.
  std::optional<std::size_t> takeChoice(std::string_view what,
                                        std::span<const std::string_view> choices);

  /// A whole number within the range. `what` names it in the message, such as "page".
  std::optional<int> takeWhole(std::string_view what, const WholeRange& range);

  /// A number with an optional sign, rounded to f32; finite.
  std::optional<float> takeReal(std::string_view what);

  /// The arguments that were not taken, which are then taken.
  std::span<const ast::Argument> rest();

  /// Reports arguments that were not taken.
  void finish();

  /// The argument that comes next, null at the end.
  const ast::Argument* peek() const;

  /// Place of the argument that comes next; at the end the place behind the setting.
  Span here() const;

  /// Reports at `span` and fails.
  void fail(Span span, std::string message, std::string help);

  /// A right line of this setting, as a remedy.
  const std::string& example() const { return rightLine; }

private:
  static std::string exampleOf(const ast::Setting& setting);

  /// What stands here, for a message.
  std::string found() const;

  void failWhole(std::string_view what, const WholeRange& range, Span span);

  const std::vector<ast::Argument>& arguments;
  Span line;
  DiagnosticList& diagnostics;
  std::string rightLine;
  std::size_t at = 0;
  bool hasFailed = false;
};

} // namespace mlac
