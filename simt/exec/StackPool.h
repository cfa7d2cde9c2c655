// StackPool: stacks of GPU threads, each with an unmapped page below, reused from CTA to CTA.
#pragma once

#include <boost/context/stack_context.hpp>
#include <cstddef>
#include <vector>

namespace mlac::simt {

class StackPool {
public:
  /// Bytes of one stack that can be used.
  static constexpr std::size_t kStackBytes = 64 << 10;

  StackPool() = default;
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;
  ~StackPool();

  /// A free stack; std::bad_alloc where there is no memory.
  boost::context::stack_context take();
  void giveBack(const boost::context::stack_context& stack);

private:
  std::vector<boost::context::stack_context> idle;
  std::size_t made = 0;
};

/// A pool as Boost.Context wants it.
struct PooledStacks {
  StackPool* pool;

  boost::context::stack_context allocate() { return pool->take(); }

  void deallocate(boost::context::stack_context& stack) noexcept { pool->giveBack(stack); }
};

} // namespace mlac::simt
