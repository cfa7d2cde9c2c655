/* The C interface called from C, so that the header is proven to be C. */
#include "CApiCalls.h"

#include <string.h>

int32_t launchFromC(const char* bundlePath, struct CCall* call) {
  mlac_bundle* bundle = NULL;
  mlac_family* family = NULL;
  mlac_plan* plan = NULL;
  int32_t code = mlac_bundle_open(bundlePath, &bundle);
  if (code == MLAC_OK)
    code = mlac_family_load(bundle, NULL, &family);
  if (code == MLAC_OK)
    code = mlac_plan_create(family, call->tokens, call->requests, 4096, &plan);
  mlac_bundle_close(bundle);
  mlac_family_free(family); /* the plan goes on without it */
  if (code == MLAC_OK) {
    call->workspaceBytes = mlac_plan_workspace_bytes(plan);
    call->args.struct_bytes = sizeof call->args;
    code = mlac_launch(plan, &call->args, call->stream);
  }
  strncpy(call->error, mlac_last_error(), sizeof call->error - 1);
  mlac_plan_free(plan);
  return code;
}
