// Which thread of a CTA runs next, and when asynchronous copies land. In the fixed order a thread
// runs until it must wait, and copies land as late as they can; in a random order threads change at
// any basic block and copies land at any time.
#include "simt/exec/Cta.h"

#include <bit>
#include <boost/context/preallocated.hpp>
#include <cstring>
#include <new>

namespace mlac::simt {
namespace {

thread_local Cta* runningCta = nullptr;

constexpr std::uint32_t kCtaBarriers = 16;  // PTX ISA, "barrier"
constexpr std::int64_t kRandomQuantum = 48; // basic blocks a thread runs at most in a random order
constexpr std::uint32_t kMostRounds = 4;
constexpr int kGarbage = 0xff; // NaN in every floating-point type

} // namespace

Cta& Cta::running() {
  return *runningCta;
}

Cta::Cta(const LaunchConfig& config,
         const LaunchRules& rules,
         std::uint32_t index,
         StackPool& stacks)
    : config(config), rules(rules), index(index), number(rules.firstCta + index), stacks(stacks),
      onThisOsThread(config.kernel->running()), shared(config.kernel->shared()),
      sharedShadow(std::make_unique<Shadow>(config.dynamicSmemBytes, false, false)),
      threads(config.threads), runnable((config.threads + 63) / 64, 0), live(config.threads),
      random(rules.seed + index), copyAgents(config.threads), ctaBarriers(kCtaBarriers),
      logs(config.threads / kWarpLanes) {
  std::memset(shared, kGarbage, config.kernel->sharedBytes());
  for (std::uint32_t i = 0; i < config.threads; ++i) {
    threads[i].index = i;
    threads[i].advance();
    threads[i].waitedForPreviousGrid = !config.dependent;
    wake(i);
  }
  copiesLandLate = rules.seed == 0 || random() % 2 == 0;
  counts.ctas = 1;
  counts.threads = config.threads;
}

Cta::~Cta() {
  // Threads that a finding left in the middle are unwound here.
  runningCta = this;
  threads.clear();
  runningCta = nullptr;
}

void Cta::run() {
  runningCta = this;
  for (GpuThread& thread : threads)
    start(thread);
  while (live > 0 && !found && !outOfMemory && stepOnce()) {
  }
  if (outOfMemory)
    throw std::bad_alloc();
  active = nullptr;
  if (!found)
    checkEnd();
  for (AccessLog& log : logs)
    log.flush(counts);
  counts.steps = stepsSpent;
  runningCta = nullptr;
}

void Cta::start(GpuThread& thread) {
  const boost::context::stack_context stack = stacks.take();
  thread.stackLow = static_cast<const char*>(stack.sp) - stack.size;
  const auto body = [this, &thread](boost::context::fiber&& scheduler) {
    thread.scheduler = std::move(scheduler);
    try {
      config.kernel->call(config.args);
      threadEnded(thread);
    } catch (const std::bad_alloc&) {
      outOfMemory = true;
    }
    return std::move(thread.scheduler);
  };
  thread.fiber = boost::context::fiber(std::allocator_arg,
                                       boost::context::preallocated(stack.sp, stack.size, stack),
                                       PooledStacks{&stacks},
                                       body);
}

/// Runs one thread for a while, or lets one copy land. False where nobody can go on.
bool Cta::stepOnce() {
  // Threads that poll memory never wait, so copies land after some rounds of polling too.
  const bool polling = spins > kMostRounds * config.threads && !transfers.empty();
  std::optional<std::uint32_t> next;
  if (!polling)
    next = rules.seed == 0 ? nextInOrder() : nextAtRandom();
  if (next) {
    resume(threads[*next]);
    return true;
  }
  if (transfers.empty()) {
    reportDeadlock();
    return false;
  }
  const std::size_t which = rules.seed == 0 ? 0 : random() % transfers.size();
  const Transfer transfer = transfers[which];
  transfers.erase(transfers.begin() + static_cast<std::ptrdiff_t>(which));
  spins = 0;
  land(transfer);
  return true;
}

std::optional<std::uint32_t> Cta::nextInOrder() {
  const auto words = static_cast<std::uint32_t>(runnable.size());
  for (std::uint32_t i = 0; i <= words; ++i) {
    const std::uint32_t word = (cursor / 64 + i) % words;
    std::uint64_t bits = runnable[word];
    if (i == 0)
      bits &= ~std::uint64_t{0} << cursor % 64;
    if (bits == 0)
      continue;
    const std::uint32_t thread = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
    cursor = (thread + 1) % config.threads;
    return thread;
  }
  return std::nullopt;
}

/// Nothing where a copy is to land, or nobody can run.
std::optional<std::uint32_t> Cta::nextAtRandom() {
  std::uint64_t count = 0;
  for (const std::uint64_t bits : runnable)
    count += static_cast<std::uint64_t>(std::popcount(bits));
  // All copies together are as likely to go on as one thread, or wait until nobody else can.
  const bool copiesToo = !transfers.empty() && (!copiesLandLate || count == 0);
  const std::uint64_t choices = count + (copiesToo ? 1 : 0);
  if (choices == 0)
    return std::nullopt;
  std::uint64_t choice = random() % choices;
  if (choice >= count)
    return std::nullopt;
  for (std::uint32_t word = 0; word < runnable.size(); ++word) {
    std::uint64_t bits = runnable[word];
    const auto here = static_cast<std::uint64_t>(std::popcount(bits));
    if (choice >= here) {
      choice -= here;
      continue;
    }
    for (; choice > 0; --choice)
      bits &= bits - 1;
    return word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
  }
  return std::nullopt;
}

void Cta::setQuantum() {
  const std::int64_t left = rules.maxSteps - stepsSpent;
  quantum = rules.seed == 0
                ? left
                : std::min(left, 1 + static_cast<std::int64_t>(random() % kRandomQuantum));
  onThisOsThread.stepsLeft = quantum;
}

void Cta::spendQuantum() {
  stepsSpent += quantum - onThisOsThread.stepsLeft; // -1 where the block that ended it counts too
  quantum = 0;
  onThisOsThread.stepsLeft = 0;
}

void Cta::resume(GpuThread& thread) {
  active = &thread;
  onFiber = &thread;
  onThisOsThread.stackLow = thread.stackLow;
  onThisOsThread.stackSize = StackPool::kStackBytes + 4096;
  onThisOsThread.place = {
      {thread.index, 0, 0}, {index, 0, 0}, {config.threads, 1, 1}, {config.gridCtas, 1, 1}};
  setQuantum();
  thread.fiber = std::move(thread.fiber).resume();
  spendQuantum();
  active = nullptr;
}

void Cta::suspend() {
  GpuThread& thread = *onFiber;
  thread.scheduler = std::move(thread.scheduler).resume();
}

void Cta::block(Waiting::For what, std::uint32_t number, std::uint32_t phase, std::uint32_t site) {
  GpuThread& thread = current();
  thread.waiting = {what, number, phase, site};
  runnable[thread.index / 64] &= ~(std::uint64_t{1} << thread.index % 64);
  suspend();
}

void Cta::wake(std::uint32_t thread) {
  threads[thread].waiting = {};
  runnable[thread / 64] |= std::uint64_t{1} << thread % 64;
}

void Cta::step(std::uint32_t site) {
  spendQuantum();
  if (stepsSpent >= rules.maxSteps)
    fail(FindingKind::StepLimit,
         "the CTA did not end within " + std::to_string(rules.maxSteps) + " basic blocks",
         {placeOf(current(), "is still running", site)});
  if (rules.seed == 0) {
    setQuantum();
    return;
  }
  suspend(); // resume() sets the next quantum
}

void Cta::threadEnded(GpuThread& thread) {
  thread.done = true;
  --live;
  runnable[thread.index / 64] &= ~(std::uint64_t{1} << thread.index % 64);
  const std::uint32_t first = thread.warp() * kWarpLanes;
  for (std::uint32_t i = first; i < first + kWarpLanes && !found; ++i) {
    const GpuThread& other = threads[i];
    if (other.waiting.what == Waiting::For::Collective &&
        (other.call.mask >> thread.lane() & 1) != 0)
      report(FindingKind::DivergentWarp,
             "a lane has ended that others of its warp wait for",
             {placeOf(other, "waits for its warp", other.call.site),
              placeOf(thread, "has returned from the kernel", 0)});
  }
}

/// What must hold when all threads have ended.
void Cta::checkEnd() {
  if (!transfers.empty()) {
    const Transfer& transfer = transfers.front();
    report(FindingKind::UnbalancedBytes,
           "the CTA has ended with an asynchronous copy under way that nobody waited for",
           {placeOf(threads[transfer.thread], "issued it", transfer.site)});
    return;
  }
  for (const auto& [address, barrier] : barriers)
    if (barrier.bytes != 0) {
      report(FindingKind::UnbalancedBytes,
             "the CTA has ended while its barrier at " + std::to_string(address) + " expects " +
                 std::to_string(barrier.bytes) + " more bytes",
             {});
      return;
    }
}

} // namespace mlac::simt
