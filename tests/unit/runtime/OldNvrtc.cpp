// A library that says it is NVRTC 12.4, the last whose age mlac must refuse with a clear message.
extern "C" int nvrtcVersion(int* major, int* minor) {
  *major = 12;
  *minor = 4;
  return 0;
}
