// RecordTable: the records that the attentions of a file may name, checked.
#pragma once

#include "common/Record.h"
#include "compiler/spec/Ast.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mlac {

class DiagnosticList;

/// Those of the language itself, written in it: bf16, f16, fp8_per_tensor, fp8_ds_mla, dsv4,
/// nope_528, nvfp4. Counts of 0 are left to the attention. Lives as long as the process.
const std::vector<Record>& libraryRecords();

/// The library's record of that name; null where there is none.
const Record* findLibraryRecord(std::string_view name);

class RecordTable {
public:
  struct Entry {
    Record record = {};
    Span place = {};               ///< of its name; unset for the library's
    std::vector<Span> fields = {}; ///< place of each field's line
    bool isOfFile = false;
    bool isBroken = false; ///< wrong, and reported already
  };

  /// Checks the records of a file and reports what is wrong with them.
  RecordTable(const std::vector<ast::Record>& records, DiagnosticList& diagnostics);

  /// The file's record of that name, else the library's, else null.
  const Entry* find(std::string_view name) const;

  /// What could be meant, for a name that is not there: a line of help.
  std::string helpFor(std::string_view name) const;

private:
  void add(Entry entry);

  std::vector<Entry> entries;                          ///< the file's, then the library's
  std::unordered_map<std::string, std::size_t> places; ///< of the first entry of each name
};

/// The record of `entry` for an attention of these sizes. Where they do not go together that is
/// reported at `place`, where the attention names the record.
Record recordFor(
    const RecordTable::Entry& entry, int latent, int rope, Span place, DiagnosticList& diagnostics);

} // namespace mlac
