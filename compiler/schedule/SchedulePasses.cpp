// The passes that choose schedules and hold them against the target.
#include "compiler/schedule/SchedulePasses.h"

#include "compiler/ir/ImportSpec.h"
#include "compiler/ir/MlaOps.h"
#include "compiler/ir/ScheduleAttr.h"
#include "compiler/schedule/Budget.h"
#include "compiler/schedule/PlanSchedules.h"

#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <fmt/format.h>

using namespace mlir;
using namespace mlac;
using namespace mlac::mla;

static constexpr StringLiteral kTargetAttr = "mla.target";
static constexpr StringLiteral kSetAttr = "mla.set";

void mlac::setPlanningFor(ModuleOp module,
                          const Target& target,
                          const std::vector<ScheduleOverride>& overrides) {
  Builder builder(module.getContext());
  module->setAttr(kTargetAttr, builder.getStringAttr(StringRef(target.name)));
  SmallVector<Attribute> texts;
  for (const ScheduleOverride& set : overrides)
    texts.push_back(builder.getStringAttr(fmt::format(
        "{}{}{}={}", set.shapeClass, set.shapeClass.empty() ? "" : ".", set.key, set.value)));
  if (!texts.empty())
    module->setAttr(kSetAttr, builder.getArrayAttr(texts));
}

Result<const Target*> mlac::targetOf(ModuleOp module) {
  const auto name = module->getAttrOfType<StringAttr>(kTargetAttr);
  if (!name)
    return Error{
        ErrorCode::InvalidInput,
        fmt::format("the module names no target; write `module attributes {{{} = \"sm_120\"}}`",
                    kTargetAttr.str())};
  return findTarget(std::string_view(name.getValue()));
}

static Result<std::vector<ScheduleOverride>> overridesOf(ModuleOp module) {
  std::vector<ScheduleOverride> overrides;
  if (const auto list = module->getAttrOfType<ArrayAttr>(kSetAttr))
    for (Attribute text : list) {
      const auto word = dyn_cast<StringAttr>(text);
      if (!word)
        return Error{ErrorCode::InvalidInput, fmt::format("{} holds strings only", kSetAttr.str())};
      MLAC_TRY(set, parseOverride(std::string_view(word.getValue())));
      overrides.push_back(set);
    }
  return overrides;
}

static Status planKernels(AttentionOp attention,
                          const Target& target,
                          const std::vector<ScheduleOverride>& overrides) {
  MLAC_TRY(schedules, planSchedules(variantOf(attention), target, overrides));
  OpBuilder builder(attention);
  builder.setInsertionPointAfter(attention);
  for (const Schedule& schedule : schedules)
    KernelOp::create(builder,
                     attention.getLoc(),
                     builder.getStringAttr(attention.getSymName() + "_" + schedule.shapeClass),
                     FlatSymbolRefAttr::get(attention.getSymNameAttr()),
                     toAttr(builder.getContext(), schedule));
  return Unit{};
}

static Status planModule(ModuleOp module) {
  MLAC_TRY(target, targetOf(module));
  MLAC_TRY(overrides, overridesOf(module));
  for (AttentionOp attention : llvm::to_vector(module.getOps<AttentionOp>()))
    MLAC_CHECK(planKernels(attention, *target, overrides));
  return Unit{};
}

static Status verifyModule(ModuleOp module) {
  MLAC_TRY(target, targetOf(module));
  for (KernelOp kernel : module.getOps<KernelOp>())
    MLAC_CHECK(checkBudget(variantOf(kernel.attention()), fromAttr(kernel.getSchedule()), *target));
  return Unit{};
}

namespace {

/// A pass that is one function on a module that names a target.
template <typename Derived, Status (*run)(ModuleOp)>
class TargetPass : public PassWrapper<Derived, OperationPass<ModuleOp>> {
  friend Derived;
  TargetPass() = default;

public:
  void runOnOperation() override {
    ModuleOp module = this->getOperation();
    if (!module->hasAttr(kTargetAttr))
      return;
    if (const Status status = run(module); !status) {
      module.emitError(status.error().message);
      this->signalPassFailure();
    }
  }
};

class PlanSchedulesPass : public TargetPass<PlanSchedulesPass, planModule> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlanSchedulesPass)

  StringRef getArgument() const override { return "mla-plan-schedules"; }

  StringRef getDescription() const override {
    return "choose a schedule for each attention and shape class";
  }
};

class VerifyBudgetPass : public TargetPass<VerifyBudgetPass, verifyModule> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyBudgetPass)

  StringRef getArgument() const override { return "mla-verify-budget"; }

  StringRef getDescription() const override {
    return "hold every schedule against the target's limits";
  }
};

} // namespace

std::unique_ptr<Pass> mlac::createPlanSchedulesPass() {
  return std::make_unique<PlanSchedulesPass>();
}

std::unique_ptr<Pass> mlac::createVerifyBudgetPass() {
  return std::make_unique<VerifyBudgetPass>();
}
