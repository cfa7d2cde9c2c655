// Between mlac::Variant and mla.attention: the attributes.
#include "compiler/ir/ImportSpec.h"

#include "compiler/ir/AttentionRegions.h"
#include "compiler/ir/MlaOps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlac;
using namespace mlac::mla;

static Type toType(MLIRContext* context, ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return BFloat16Type::get(context);
  case ElementType::F16:
    return Float16Type::get(context);
  case ElementType::F32:
    return Float32Type::get(context);
  }
  llvm_unreachable("unknown element type");
}

static ElementType fromType(Type type) {
  if (type.isBF16())
    return ElementType::BF16;
  return type.isF16() ? ElementType::F16 : ElementType::F32;
}

// The enumerations list the same cases in the same order, so numbers carry over.
static_assert(static_cast<int>(IterateKind::TopkPhysical) ==
              static_cast<int>(Iterate::TopkPhysical));
static_assert(static_cast<int>(IterateKind::Window) == static_cast<int>(Iterate::Window));
static_assert(static_cast<int>(LseMode::Natural) == static_cast<int>(Lse::Natural));
static_assert(static_cast<int>(LseMode::Base2) == static_cast<int>(Lse::Base2));

static_assert(static_cast<int>(ParamKind::PerToken) == static_cast<int>(ParamShape::PerToken));

/// Those that a launch passes; defaults are constants of the regions.
static ArrayAttr paramsOf(ImplicitLocOpBuilder& builder, const Variant& variant) {
  SmallVector<Attribute> params;
  for (const RuleParam& param : variant.params)
    if (param.isArgument())
      params.push_back(ParamAttr::get(builder.getContext(),
                                      param.name,
                                      param.type == ExprType::F32 ? Type(builder.getF32Type())
                                                                  : Type(builder.getI32Type()),
                                      static_cast<ParamShape>(param.kind)));
  return params.empty() ? ArrayAttr() : builder.getArrayAttr(params);
}

static AttentionOp importVariant(ImplicitLocOpBuilder& builder, const Variant& variant) {
  MLIRContext* context = builder.getContext();
  auto unit = [&](bool on) { return on ? builder.getUnitAttr() : UnitAttr(); };
  auto number = [&](int value) { return builder.getI32IntegerAttr(value); };
  auto type = [&](ElementType element) { return TypeAttr::get(toType(context, element)); };
  auto record = RecordType::get(context, variant.record());
  auto value = variant.valueIsRecord ? ValuePart::Record : ValuePart::Latent;
  auto op =
      AttentionOp::create(builder,
                          builder.getStringAttr(variant.name),
                          number(variant.heads),
                          number(variant.latent),
                          number(variant.rope),
                          ValuePartAttr::get(context, value),
                          type(variant.query),
                          type(variant.output),
                          TypeAttr::get(record),
                          number(variant.page),
                          IterateAttr::get(context, static_cast<Iterate>(variant.iterate)),
                          number(variant.topk),
                          number(variant.window),
                          number(variant.minQueries),
                          number(variant.maxQueries),
                          unit(variant.causal),
                          variant.scale ? builder.getF32FloatAttr(*variant.scale) : FloatAttr(),
                          LseAttr::get(context, static_cast<Lse>(variant.lse)),
                          unit(variant.emptyLsePositive),
                          unit(variant.maxLogit),
                          paramsOf(builder, variant),
                          unit(variant.sink));
  buildRegions(op, variant);
  return op;
}

OwningOpRef<ModuleOp> mla::importVariants(MLIRContext& context, ArrayRef<Variant> variants) {
  context.loadDialect<MlaDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  ImplicitLocOpBuilder builder(module->getLoc(), &context);
  builder.setInsertionPointToEnd(module->getBody());
  for (const Variant& variant : variants)
    importVariant(builder, variant);
  return module;
}

Variant mla::variantOf(AttentionOp op) {
  auto number = [](uint32_t value) { return static_cast<int>(value); };
  Variant variant;
  variant.name = op.getSymName().str();
  variant.heads = number(op.getHeads());
  variant.latent = number(op.getLatent());
  variant.rope = number(op.getRope());
  variant.valueIsRecord = op.getValue() == ValuePart::Record;
  variant.query = fromType(op.getQuery());
  variant.cache = op.getRecord().record();
  // Sizes that are left to the attention come back as such.
  if (std::optional<ElementType> element = variant.cacheElement();
      element && variant.cache.name == elementName(*element))
    variant.cache = *element;
  variant.output = fromType(op.getOutput());
  variant.page = number(op.getPage());
  variant.iterate = static_cast<IterateKind>(op.getIterate());
  variant.topk = number(op.getTopk());
  variant.window = number(op.getWindow());
  variant.minQueries = number(op.getMinQueries());
  variant.maxQueries = number(op.getMaxQueries());
  variant.causal = op.getCausal();
  if (std::optional<APFloat> scale = op.getScale())
    variant.scale = scale->convertToFloat();
  variant.lse = static_cast<LseMode>(op.getLse());
  variant.emptyLsePositive = op.getEmptyLsePositive();
  variant.maxLogit = op.getMaxLogit();
  variant.sink = op.getSink();
  for (Attribute attr :
       op.getParamsAttr() ? op.getParamsAttr().getValue() : ArrayRef<Attribute>()) {
    auto param = cast<ParamAttr>(attr);
    variant.params.push_back({.name = param.getName().str(),
                              .type = param.getType().isF32() ? ExprType::F32 : ExprType::I32,
                              .kind = static_cast<ParamKind>(param.getShape())});
  }
  return variant;
}
