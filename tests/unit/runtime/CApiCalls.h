/* What CApiTest asks CApiCalls.c to do. */
#ifndef MLAC_TESTS_CAPICALLS_H
#define MLAC_TESTS_CAPICALLS_H

#include "mlac/mlac.h"

#ifdef __cplusplus
extern "C" {
#endif

struct CCall {
  int64_t tokens;
  int64_t requests;
  mlac_launch_args args;
  mlac_schedule_args scheduleArgs; /* of a balanced launch */
  void* stream;
  uint64_t workspaceBytes; /* out */
  uint64_t scheduleBytes;  /* out */
  char error[512];         /* out */
};

/* Opens, loads, plans, launches and closes; the first code that is not MLAC_OK, or MLAC_OK. */
int32_t launchFromC(const char* bundlePath, struct CCall* call);

/* The same with a balanced plan, scheduled before it is launched. */
int32_t launchBalancedFromC(const char* bundlePath, struct CCall* call);

#ifdef __cplusplus
}
#endif

#endif
