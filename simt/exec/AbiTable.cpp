#include "simt/exec/AbiTable.h"

#include "simt/exec/Cta.h"
#include "simt/exec/Fragments.h"
#include "simt/exec/Operands.h"

#include <bit>

// The kernel's return address is what reports call the site of an operation.
#define MLAC_SITE Cta::running().image().siteOf(__builtin_return_address(0))

namespace mlac::simt {
namespace {

void access(const void* at, unsigned bytes, unsigned flags, const void* site) {
  Cta& cta = Cta::running();
  cta.access(at, bytes, flags, cta.image().siteOf(site));
}

void step(const void* site) {
  Cta& cta = Cta::running();
  cta.step(cta.image().siteOf(site));
}

unsigned sharedAddress(const void* object) {
  return Cta::running().sharedAddress(object, MLAC_SITE);
}

void sharedLoad(unsigned address, void* to, unsigned bytes) {
  Cta::running().sharedLoad(address, to, bytes, MLAC_SITE);
}

void sharedStore(unsigned address, const void* from, unsigned bytes) {
  Cta::running().sharedStore(address, from, bytes, MLAC_SITE);
}

void syncWarp(unsigned mask) {
  Cta::running().collective({Collective::Op::SyncWarp, 0, mask, MLAC_SITE, nullptr});
}

void syncCta() {
  Cta::running().syncBarrier(0, 0, true, MLAC_SITE);
}

void syncNamed(unsigned barrier, unsigned threads) {
  Cta::running().syncBarrier(barrier, threads, true, MLAC_SITE);
}

void arriveNamed(unsigned barrier, unsigned threads) {
  Cta::running().syncBarrier(barrier, threads, false, MLAC_SITE);
}

unsigned long long shuffle(unsigned kind, unsigned mask, unsigned long long value, int lane) {
  ShuffleOperands operands{value, lane, 0};
  Cta::running().collective({Collective::Op::Shuffle, kind, mask, MLAC_SITE, &operands});
  return operands.out;
}

unsigned vote(unsigned kind, unsigned mask, unsigned predicate) {
  VoteOperands operands{predicate, 0};
  Cta::running().collective({Collective::Op::Vote, kind, mask, MLAC_SITE, &operands});
  return operands.out;
}

int reduce(unsigned kind, unsigned mask, int value) {
  ReduceOperands operands{value, 0};
  Cta::running().collective({Collective::Op::Reduce, kind, mask, MLAC_SITE, &operands});
  return operands.out;
}

constexpr unsigned kAllLanes = ~0U;

void loadMatrices(unsigned* to, unsigned count, unsigned isTransposed, unsigned address) {
  MatricesOperands operands{address, to, nullptr};
  Cta::running().collective({Collective::Op::LoadMatrices,
                             count | (isTransposed != 0 ? kMatrixTransposed : 0),
                             kAllLanes,
                             MLAC_SITE,
                             &operands});
}

void storeMatrices(const unsigned* from, unsigned count, unsigned isTransposed, unsigned address) {
  Cta::running().requireStoreMatrices(MLAC_SITE);
  MatricesOperands operands{address, nullptr, from};
  Cta::running().collective({Collective::Op::StoreMatrices,
                             count | (isTransposed != 0 ? kMatrixTransposed : 0),
                             kAllLanes,
                             MLAC_SITE,
                             &operands});
}

unsigned transposeMatrix(unsigned fragment) {
  TransposeOperands operands{fragment, 0};
  Cta::running().collective({Collective::Op::TransposeMatrix, 0, kAllLanes, MLAC_SITE, &operands});
  return operands.out;
}

void matrixProduct(unsigned kind, float* d, const unsigned* a, const unsigned* b) {
  ProductOperands operands{d, a, b};
  Cta::running().collective({Collective::Op::MatrixProduct, kind, kAllLanes, MLAC_SITE, &operands});
}

void initBarrier(unsigned barrier, unsigned arrivals) {
  Cta::running().initBarrier(barrier, arrivals, MLAC_SITE);
}

void arriveBarrier(unsigned barrier) {
  Cta::running().arriveBarrier(barrier, 0, MLAC_SITE);
}

void arriveExpectingBytes(unsigned barrier, unsigned bytes) {
  Cta::running().arriveExpecting(barrier, bytes, MLAC_SITE);
}

void waitBarrier(unsigned barrier, unsigned parity) {
  Cta::running().waitBarrier(barrier, parity, MLAC_SITE);
}

void copyAsync(unsigned destination, const void* source, unsigned bytes, unsigned present) {
  Cta::running().copyAsync(destination, source, bytes, present != 0, MLAC_SITE);
}

void arriveWhenCopied(unsigned barrier) {
  Cta::running().arriveWhenCopied(barrier, MLAC_SITE);
}

void commitCopies() {
  Cta::running().commitCopies();
}

void waitCopies(unsigned groupsLeft) {
  Cta::running().waitCopies(groupsLeft, MLAC_SITE);
}

void copyBulk(unsigned destination, const void* source, unsigned bytes, unsigned barrier) {
  Cta::running().copyBulk(destination, source, bytes, barrier, MLAC_SITE);
}

void fenceProxy() {
  Cta::running().fenceProxy(MLAC_SITE);
}

void fenceBarrierInit() {
  Cta::running().fenceBarrierInit(MLAC_SITE);
}

unsigned long long
atomic(unsigned operation, void* at, unsigned bytes, unsigned long long value, unsigned order) {
  return Cta::running().atomic({operation, at, bytes, value, order, MLAC_SITE});
}

void waitForPreviousGrid() {
  Cta::running().waitForPreviousGrid(MLAC_SITE);
}

void allowNextGrid() {
  Cta::running().allowNextGrid(MLAC_SITE);
}

} // namespace

const Abi& abiTable() {
  static const Abi table = {
      .access = access,
      .step = step,
      .sharedAddress = sharedAddress,
      .sharedLoad = sharedLoad,
      .sharedStore = sharedStore,
      .syncWarp = syncWarp,
      .syncCta = syncCta,
      .syncNamed = syncNamed,
      .arriveNamed = arriveNamed,
      .shuffle = shuffle,
      .vote = vote,
      .reduce = reduce,
      .loadMatrices = loadMatrices,
      .storeMatrices = storeMatrices,
      .transposeMatrix = transposeMatrix,
      .matrixProduct = matrixProduct,
      .initBarrier = initBarrier,
      .arriveBarrier = arriveBarrier,
      .arriveExpectingBytes = arriveExpectingBytes,
      .waitBarrier = waitBarrier,
      .copyAsync = copyAsync,
      .arriveWhenCopied = arriveWhenCopied,
      .commitCopies = commitCopies,
      .waitCopies = waitCopies,
      .copyBulk = copyBulk,
      .fenceProxy = fenceProxy,
      .fenceBarrierInit = fenceBarrierInit,
      .atomic = atomic,
      .waitForPreviousGrid = waitForPreviousGrid,
      .allowNextGrid = allowNextGrid,
  };
  return table;
}

} // namespace mlac::simt
