// Records as plain data, for tests that do not link the language.
#pragma once

#include "common/Record.h"

#include <utility>

namespace mlac::verify {

inline RecordField dataField(FieldKind kind, FieldType type, int count) {
  return {.kind = kind, .type = type, .count = count};
}

inline RecordField scaleField(FieldType type, int group, FieldKind of, bool inTail = false) {
  return {.kind = FieldKind::Scale, .type = type, .of = of, .group = group, .inTail = inTail};
}

inline Record recordOf(std::vector<RecordField> fields, int pageAlign = 1) {
  Record record;
  record.name = "test";
  record.fields = std::move(fields);
  record.pageAlign = pageAlign;
  return record.sized(0, 0);
}

/// The 656 bytes of vLLM and FlashMLA.
inline Record fp8DsMla() {
  return recordOf({dataField(FieldKind::Latent, FieldType::E4M3, 512),
                   scaleField(FieldType::F32, 128, FieldKind::Latent),
                   dataField(FieldKind::Rope, FieldType::BF16, 64)});
}

/// 576 bytes a token, and 8 of the page's tail.
inline Record dsv4() {
  return recordOf({dataField(FieldKind::Latent, FieldType::E4M3, 448),
                   dataField(FieldKind::Rope, FieldType::BF16, 64),
                   scaleField(FieldType::E8M0, 64, FieldKind::Latent, true),
                   {.kind = FieldKind::Pad, .count = 1, .inTail = true}},
                  576);
}

} // namespace mlac::verify
