// The records of the language itself.
#include "common/Diagnostic.h"
#include "compiler/spec/Parser.h"
#include "compiler/spec/RecordReader.h"
#include "compiler/spec/RecordTable.h"

#include <cassert>

namespace mlac {
namespace {

constexpr std::string_view kText = R"(
record bf16 { latent bf16; rope bf16 }
record f16 { latent f16; rope f16 }

record fp8_per_tensor {          # vLLM's `fp8`: everything e4m3, one scale for the whole cache
  latent e4m3
  rope   e4m3
  scale  f32 per tensor
}
record fp8_ds_mla {              # 656 bytes: vLLM's and FlashMLA's record of DeepSeek-V3.2
  latent e4m3 x 512
  scale  f32 per 128 of latent
  rope   bf16 x 64
}
record nope_528 {                # the same of models without a rotary part
  latent e4m3 x 512
  scale  f32 per 128 of latent
}
record dsv4 {                    # 584 bytes: P times 576, then P times 8 of scales
  latent e4m3 x 448
  rope   bf16 x 64
  page_tail {
    scale e8m0 per 64 of latent
    pad   1
  }
  page_align 576
}
record nvfp4 {                   # 416 bytes for 512 and 64
  latent e2m1
  scale  e4m3 per 16 of latent
  rope   bf16
}
)";

std::vector<Record> parseLibrary() {
  const SourceText source("", std::string(kText));
  DiagnosticList diagnostics;
  const ParsedSpec spec = parseSpec(source, diagnostics);
  std::vector<Record> records;
  for (const ast::Record& written : spec.records) {
    std::vector<Span> places;
    readRecord(written, records.emplace_back(), places, diagnostics);
  }
  assert(!diagnostics.hasErrors() && "the library of records is wrong");
  return records;
}

} // namespace

const std::vector<Record>& libraryRecords() {
  static const std::vector<Record> records = parseLibrary();
  return records;
}

const Record* findLibraryRecord(std::string_view name) {
  for (const Record& record : libraryRecords())
    if (record.name == name)
      return &record;
  return nullptr;
}

} // namespace mlac
