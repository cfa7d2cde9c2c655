#include "simt/exec/StackPool.h"

#include <new>
#include <sys/mman.h>

namespace mlac::simt {
namespace {

constexpr std::size_t kGuardBytes = 4096;

} // namespace

StackPool::~StackPool() {
  for (const boost::context::stack_context& stack : idle)
    munmap(static_cast<char*>(stack.sp) - stack.size, stack.size);
}

boost::context::stack_context StackPool::take() {
  if (!idle.empty()) {
    const boost::context::stack_context stack = idle.back();
    idle.pop_back();
    return stack;
  }
  idle.reserve(++made); // so that giving back never allocates
  constexpr std::size_t kBytes = kStackBytes + kGuardBytes;
  void* const low = mmap(
      nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (low == MAP_FAILED || mprotect(low, kGuardBytes, PROT_NONE) != 0)
    throw std::bad_alloc();
  boost::context::stack_context stack;
  stack.size = kBytes;
  stack.sp = static_cast<char*>(low) + kBytes;
  return stack;
}

void StackPool::giveBack(const boost::context::stack_context& stack) {
  idle.push_back(stack);
}

} // namespace mlac::simt
