// The cache record: its text form, its rules and its layout.
#include "compiler/ir/MlaDialect.h"
#include "compiler/ir/MlaTypes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlac;
using namespace mlac::mla;

#define GET_TYPEDEF_CLASSES
#include "compiler/ir/MlaTypes.cpp.inc"

void MlaDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "compiler/ir/MlaTypes.cpp.inc"
      >();
}

RecordType RecordType::get(MLIRContext* context, const Record& record) {
  return get(context, record.name, record.fields, record.pageAlign);
}

Record RecordType::record() const {
  Record record;
  record.name = getName().str();
  record.fields = getFields().vec();
  record.pageAlign = getPageAlign();
  return record;
}

int64_t RecordType::count(FieldKind part) const {
  for (const RecordField& field : getFields())
    if (field.kind == part)
      return field.count;
  return 0;
}

int64_t RecordType::offsetBytes(FieldKind part) const {
  const RecordLayout layout = layoutOf(record());
  for (auto [field, offset] : llvm::zip(getFields(), layout.offsets))
    if (field.kind == part)
      return offset;
  llvm_unreachable("the record has no such part");
}

int64_t RecordType::sizeBytes() const {
  const RecordLayout layout = layoutOf(record());
  return layout.tokenBytes + layout.tailBytes;
}

LogicalResult RecordType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef name,
                                 ArrayRef<RecordField> fields,
                                 int pageAlign) {
  Record record;
  record.name = name.str();
  record.fields = fields.vec();
  record.pageAlign = pageAlign;
  for (const RecordField& field : fields)
    if ((field.kind == FieldKind::Latent || field.kind == FieldKind::Rope) && field.count <= 0)
      return emitError() << "`" << fieldKindName(field.kind)
                         << "` needs at least one element, found " << field.count;
  if (!llvm::is_sorted(
          fields, [](const RecordField& a, const RecordField& b) { return a.inTail < b.inTail; }))
    return emitError() << "the fields of the page tail come last";
  if (auto fault = faultOf(record))
    return emitError() << fault->message << "; " << fault->remedy;
  return success();
}

/// The name that records need not give.
static StringRef usualName(const Record& record) {
  auto count = [&](FieldKind part) {
    const RecordField* field = record.find(part);
    return field ? field->count : 0;
  };
  auto element = record.plainType(count(FieldKind::Latent), count(FieldKind::Rope));
  return element ? elementName(*element) : "";
}

static void printField(AsmPrinter& printer, const RecordField& field) {
  printer << (field.inTail ? "tail " : "") << fieldKindName(field.kind);
  if (field.kind == FieldKind::Pad) {
    printer << ' ' << field.count;
    return;
  }
  printer << ' ' << fieldTypeName(field.type);
  if (field.kind != FieldKind::Scale) {
    printer << " x " << field.count;
    return;
  }
  printer << " per ";
  if (field.group == 0)
    printer << "tensor";
  else
    printer << field.group;
  printer << " of " << fieldKindName(field.of);
}

void RecordType::print(AsmPrinter& printer) const {
  printer << '<';
  if (getName() != usualName(record())) {
    printer.printString(getName());
    printer << ", ";
  }
  llvm::interleaveComma(
      getFields(), printer, [&](const RecordField& field) { printField(printer, field); });
  if (getPageAlign() != 1)
    printer << ", page_align " << getPageAlign();
  printer << '>';
}

static ParseResult parseElement(AsmParser& parser, FieldType& type) {
  StringRef name;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&name))
    return failure();
  auto found = findFieldType(name);
  if (!found)
    return parser.emitError(place) << "unknown element type `" << name << "`";
  type = *found;
  return success();
}

static ParseResult parseScale(AsmParser& parser, RecordField& field) {
  if (parseElement(parser, field.type) || parser.parseKeyword("per"))
    return failure();
  llvm::SMLoc place = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword("tensor")) && parser.parseInteger(field.group))
    return failure();
  StringRef of;
  if (parser.parseKeyword("of") || parser.parseKeyword(&of))
    return failure();
  if (of != "latent" && of != "rope")
    return parser.emitError(place) << "expected `latent` or `rope`, found `" << of << "`";
  field.of = of == "latent" ? FieldKind::Latent : FieldKind::Rope;
  return success();
}

static ParseResult
parseField(AsmParser& parser, StringRef name, llvm::SMLoc place, RecordField& field) {
  if (name == "pad") {
    field.kind = FieldKind::Pad;
    return parser.parseInteger(field.count);
  }
  if (name == "scale") {
    field.kind = FieldKind::Scale;
    return parseScale(parser, field);
  }
  if (name != "latent" && name != "rope")
    return parser.emitError(place)
           << "expected `latent`, `rope`, `scale` or `pad`, found `" << name << "`";
  field.kind = name == "latent" ? FieldKind::Latent : FieldKind::Rope;
  return failure(parseElement(parser, field.type) || parser.parseKeyword("x") ||
                 parser.parseInteger(field.count));
}

static ParseResult parseEntry(AsmParser& parser, Record& record) {
  if (succeeded(parser.parseOptionalString(&record.name)))
    return success();
  StringRef word;
  llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeyword(&word))
    return failure();
  if (word == "page_align")
    return parser.parseInteger(record.pageAlign);
  RecordField& field = record.fields.emplace_back();
  field.inTail = word == "tail";
  if (field.inTail && parser.parseKeyword(&word))
    return failure();
  return parseField(parser, word, place, field);
}

/// Scales are counted by what they scale.
static void countScales(Record& record) {
  for (RecordField& field : record.fields)
    if (const RecordField* data = field.kind == FieldKind::Scale ? record.find(field.of) : nullptr;
        data && field.group > 0)
      field.count = data->count / field.group;
}

Type RecordType::parse(AsmParser& parser) {
  Record record;
  auto parseOne = [&]() { return parseEntry(parser, record); };
  llvm::SMLoc start = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseOne))
    return {};
  if (record.name.empty())
    record.name = usualName(record).str();
  countScales(record);
  return parser.getChecked<RecordType>(start,
                                       parser.getContext(),
                                       StringRef(record.name),
                                       ArrayRef(record.fields),
                                       record.pageAlign);
}
