/* Stands in for an NVRTC that is too old, or that knows no newer architecture than sm_80.
 *   cc -shared -fPIC -DMAJOR=12 -DMINOR=6 -o libnvrtc.so fake_nvrtc.c
 */
#include <stddef.h>

enum { kSuccess = 0, kInternalError = 11 };

int nvrtcVersion(int* major, int* minor) {
  *major = MAJOR;
  *minor = MINOR;
  return kSuccess;
}

int nvrtcGetNumSupportedArchs(int* count) {
  *count = 1;
  return kSuccess;
}

int nvrtcGetSupportedArchs(int* archs) {
  archs[0] = 80;
  return kSuccess;
}

const char* nvrtcGetErrorString(int code) {
  return code == kSuccess ? "NVRTC_SUCCESS" : "NVRTC_ERROR_INTERNAL_ERROR";
}

/* What compiles is not asked for here; anything that asks fails. */
#define FAILING(name)                                                                              \
  int name(void) {                                                                                 \
    return kInternalError;                                                                         \
  }
FAILING(nvrtcCreateProgram)
FAILING(nvrtcDestroyProgram)
FAILING(nvrtcCompileProgram)
FAILING(nvrtcGetProgramLogSize)
FAILING(nvrtcGetProgramLog)
FAILING(nvrtcGetCUBINSize)
FAILING(nvrtcGetCUBIN)
FAILING(nvrtcGetPTXSize)
FAILING(nvrtcGetPTX)
