/* The C interface called from C, so that the header is proven to be C. */
#include "CApiCalls.h"

#include <string.h>

typedef int32_t (*PlanCreate)(const mlac_family*, int64_t, int64_t, int64_t, mlac_plan**);

static int32_t
openPlan(const char* bundlePath, const struct CCall* call, PlanCreate create, mlac_plan** plan) {
  mlac_bundle* bundle = NULL;
  mlac_family* family = NULL;
  int32_t code = mlac_bundle_open(bundlePath, &bundle);
  if (code == MLAC_OK)
    code = mlac_family_load(bundle, NULL, &family);
  if (code == MLAC_OK)
    code = create(family, call->tokens, call->requests, 4096, plan);
  mlac_bundle_close(bundle);
  mlac_family_free(family); /* the plan goes on without it */
  return code;
}

static int32_t launchAndFree(mlac_plan* plan, struct CCall* call, int32_t code) {
  if (code == MLAC_OK) {
    call->workspaceBytes = mlac_plan_workspace_bytes(plan);
    call->args.struct_bytes = sizeof call->args;
    code = mlac_launch(plan, &call->args, call->stream);
  }
  strncpy(call->error, mlac_last_error(), sizeof call->error - 1);
  mlac_plan_free(plan);
  return code;
}

int32_t launchFromC(const char* bundlePath, struct CCall* call) {
  mlac_plan* plan = NULL;
  const int32_t code = openPlan(bundlePath, call, mlac_plan_create, &plan);
  return launchAndFree(plan, call, code);
}

int32_t launchBalancedFromC(const char* bundlePath, struct CCall* call) {
  mlac_plan* plan = NULL;
  int32_t code = openPlan(bundlePath, call, mlac_plan_create_balanced, &plan);
  if (code == MLAC_OK) {
    call->scheduleBytes = mlac_plan_schedule_bytes(plan);
    call->scheduleArgs.struct_bytes = sizeof call->scheduleArgs;
    code = mlac_schedule(plan, &call->scheduleArgs, call->stream);
  }
  return launchAndFree(plan, call, code);
}
