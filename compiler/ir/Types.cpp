// The cache record: its text form, its rules and its layout.
#include "compiler/ir/MlaDialect.h"
#include "compiler/ir/MlaTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlac::mla;

#define GET_TYPEDEF_CLASSES
#include "compiler/ir/MlaTypes.cpp.inc"

void MlaDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/ir/MlaTypes.cpp.inc"
      >();
}

RecordType RecordType::get(Type element, int64_t latent, int64_t rope) {
  SmallVector<RecordField, 2> fields{{RecordPart::Latent, element, latent}};
  if (rope > 0)
    fields.push_back({RecordPart::Rope, element, rope});
  return get(element.getContext(), fields);
}

const RecordField* RecordType::find(RecordPart part) const {
  const RecordField* found =
      llvm::find_if(getFields(), [&](const RecordField& field) { return field.part == part; });
  return found == getFields().end() ? nullptr : found;
}

int64_t RecordType::count(RecordPart part) const {
  const RecordField* field = find(part);
  return field ? field->count : 0;
}

int64_t RecordType::offsetBytes(RecordPart part) const {
  int64_t offset = 0;
  for (const RecordField& field : getFields()) {
    if (field.part == part)
      return offset;
    offset += field.sizeBytes();
  }
  llvm_unreachable("the record has no such part");
}

int64_t RecordType::sizeBytes() const {
  int64_t size = 0;
  for (const RecordField& field : getFields())
    size += field.sizeBytes();
  return size;
}

static StringRef partName(RecordPart part) {
  return part == RecordPart::Latent ? "latent" : "rope";
}

LogicalResult RecordType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<RecordField> fields) {
  bool hasLatent = false;
  bool hasRope = false;
  for (const RecordField& field : fields) {
    StringRef name = partName(field.part);
    bool& seen = field.part == RecordPart::Latent ? hasLatent : hasRope;
    if (seen)
      return emitError() << "a record has one `" << name << "` field, this one repeats it";
    seen = true;
    if (!field.element.isBF16() && !field.element.isF16())
      return emitError() << "`" << name << "` elements are bf16 or f16, found " << field.element;
    if (field.count <= 0)
      return emitError() << "`" << name << "` needs at least one element, found " << field.count;
  }
  if (!hasLatent)
    return emitError() << "a record needs a `latent` field";
  return success();
}

void RecordType::print(AsmPrinter& printer) const {
  printer << '<';
  llvm::interleaveComma(getFields(), printer, [&](const RecordField& field) {
    printer << partName(field.part) << ' ' << field.element << " x " << field.count;
  });
  printer << '>';
}

static ParseResult parseField(AsmParser& parser, RecordField& field) {
  StringRef name;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  if (name != "latent" && name != "rope")
    return parser.emitError(place) << "expected `latent` or `rope`, found `" << name << "`";
  field.part = name == "latent" ? RecordPart::Latent : RecordPart::Rope;
  return failure(parser.parseType(field.element) || parser.parseKeyword("x") ||
                 parser.parseInteger(field.count));
}

Type RecordType::parse(AsmParser& parser) {
  SmallVector<RecordField, 2> fields;
  auto parseOne = [&]() { return parseField(parser, fields.emplace_back()); };
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne))
    return {};
  return parser.getChecked<RecordType>(start, parser.getContext(), ArrayRef(fields));
}
