#include "compiler/cpu/RequestLookup.h"

using namespace mlir;

namespace mlac {
namespace {

using Predicate = arith::CmpIPredicate;

/// The request with queryStart[r] <= token < queryStart[r + 1], or -1.
Values searchQueryStart(LoopBuilder& b, const KernelArgs& args, Value token) {
  auto start = [&](Value request) {
    return b.widen(b.load(b.getI32Type(), args.queryStart, request));
  };
  return b.fold(
      b.i64(0), args.requests, {b.i64(-1), b.i64(0)}, [&](Value request, ValueRange found) {
        Value next = start(b.add(request, b.i64(1)));
        Value after = b.compare(Predicate::sge, token, start(request));
        Value before = b.compare(Predicate::slt, token, next);
        Value inside = arith::AndIOp::create(b, after, before);
        return Values{b.select(inside, request, found[0]),
                      b.select(inside, b.sub(next, token), found[1])};
      });
}

/// T / R tokens each; the launch was checked to divide evenly.
Values divideUniformly(LoopBuilder& b, const KernelArgs& args, Value token) {
  Value each = arith::DivUIOp::create(b, args.tokens, args.requests);
  Value request = arith::DivUIOp::create(b, token, each);
  Value end = b.mul(b.add(request, b.i64(1)), each);
  return {request, b.sub(end, token)};
}

} // namespace

TokenPlace buildRequestLookup(LoopBuilder& b, const KernelArgs& args, Value token) {
  Values place = b.choose(
      b.isNotNull(args.tokenRequest),
      [&] { return Values{b.widen(b.load(b.getI32Type(), args.tokenRequest, token)), b.i64(1)}; },
      [&] {
        return b.choose(
            b.isNotNull(args.queryStart),
            [&] { return searchQueryStart(b, args, token); },
            [&] { return divideUniformly(b, args, token); });
      });
  return {place[0], b.compare(Predicate::ult, place[0], args.requests), place[1]};
}

} // namespace mlac
