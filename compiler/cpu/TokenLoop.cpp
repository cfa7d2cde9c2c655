#include "compiler/cpu/TokenLoop.h"

#include "compiler/cpu/RecordLoad.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>
#include <numbers>

using namespace mlir;

namespace mlac {
namespace {

using Predicate = arith::CmpIPredicate;
using FastMath = arith::FastMathFlags;

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// a * b + c. `flags` says what LLVM may do with it: fuse always, reorder sums only where allowed.
Value multiplyAdd(LoopBuilder& b, Value x, Value y, Value sum, FastMath flags) {
  auto attr = arith::FastMathFlagsAttr::get(b.getContext(), flags);
  Value product = arith::MulFOp::create(b, x, y, attr);
  return arith::AddFOp::create(b, product, sum, attr);
}

/// The most entries a token can have: its index row, or the keys its block-table row covers.
Value entryCapacity(LoopBuilder& b, mla::AttentionOp op, const KernelArgs& args) {
  if (op.isTopk())
    return b.i64(op.getTopk());
  return b.mul(args.maxPages, b.i64(op.getPage()));
}

} // namespace

TokenLoop::TokenLoop(LoopBuilder& builder,
                     mla::AttentionOp op,
                     const KernelArgs& args,
                     Value scratch)
    : b(builder), op(op), args(args), scratch(scratch), heads(op.getHeads()),
      latent(op.getLatent()), rope(op.getRope()), valueDims(op.valueDims()),
      layout(heads, latent + rope, valueDims) {
  queries = scratchAt(layout.queries);
  record = scratchAt(layout.record);
  sums = scratchAt(layout.sums);
  maxima = scratchAt(layout.maxima);
  totals = scratchAt(layout.totals);
  rows = scratchAt(layout.rows);
  scores = b.offset(rows, b.mul(entryCapacity(b, op, args), b.i64(8)));
}

void TokenLoop::build(Value token) {
  clearState();
  convertQueries(token);
  Entries entries = findEntries(token);
  Value count = scoreEntries(entries, token);
  sumValues(count);
  storeResults(token);
}

Value TokenLoop::scratchAt(std::int64_t offsetBytes) {
  return b.offset(scratch, b.i64(offsetBytes));
}

void TokenLoop::clearState() {
  b.loop(b.i64(0), b.i64(heads), [&](Value head) {
    b.store(b.f32(-kInfinity), maxima, head);
    b.store(b.f32(0), totals, head);
  });
  b.loop(b.i64(0), b.i64(heads * valueDims), [&](Value i) { b.store(b.f32(0), sums, i); });
}

void TokenLoop::convertQueries(Value token) {
  auto convert =
      [&](const KernelArgs::Tensor& tensor, Value head, std::int64_t at, std::int64_t n) {
        Value from = tensor.row(b, token, head);
        Value to = b.add(b.mul(head, b.i64(latent + rope)), b.i64(at));
        b.loop(b.i64(0), b.i64(n), [&](Value dim) {
          Value element = b.loadFloat(op.getQuery(), tensor.base, b.add(from, dim));
          b.store(element, queries, b.add(to, dim));
        });
      };
  b.loop(b.i64(0), b.i64(heads), [&](Value head) {
    convert(args.qLatent, head, 0, latent);
    if (rope > 0)
      convert(args.qRope, head, latent, rope);
  });
}

/// A negative length leaves the loop over entries empty.
Value TokenLoop::indexCount(Value token) {
  Value width = b.i64(op.getTopk());
  return b.choose(
      b.isNotNull(args.topkLength),
      [&] {
        Value given = b.widen(b.load(b.getI32Type(), args.topkLength, token));
        return Values{b.min(given, width)};
      },
      [&] { return Values{width}; })[0];
}

/// Bounds are cut to what the block table covers: mla.lookup finds nothing past it.
TokenLoop::Entries TokenLoop::findEntries(Value token) {
  Entries entries;
  entries.token = b.narrow(token);
  entries.queryPosition = b.i32(-1);
  entries.keyBegin = entries.keyEnd = b.i32(0);
  entries.first = b.i64(0);
  if (op.isLogical())
    findInterval(entries, token);
  if (!op.isTopk()) {
    entries.first = b.widen(entries.keyBegin);
    entries.last = b.min(b.widen(entries.keyEnd), entryCapacity(b, op, args));
    return entries;
  }
  entries.last = indexCount(token);
  if (op.isLogical())
    entries.last = b.select(entries.place.known, entries.last, b.i64(0));
  return entries;
}

void TokenLoop::findInterval(Entries& entries, Value token) {
  entries.place = buildRequestLookup(b, args, token);
  Value request = entries.place.request;
  Values interval = b.choose(
      entries.place.known,
      [&] {
        Value seqLen = b.load(b.getI32Type(), args.seqLens, request);
        Value position = b.sub(seqLen, b.narrow(entries.place.tail));
        Value hasKeyEnd = b.isNotNull(args.keyEnd);
        Value keyEnd = b.choose(
            hasKeyEnd,
            [&] { return Values{b.load(b.getI32Type(), args.keyEnd, token)}; },
            [&] { return Values{b.i32(0)}; })[0];
        Values seen = inlineRegion(b, op.getInterval(), {position, seqLen, keyEnd, hasKeyEnd});
        return Values{seen[0], seen[1], position};
      },
      [&] { return Values{b.i32(0), b.i32(0), b.i32(0)}; });
  entries.keyBegin = interval[0];
  entries.keyEnd = interval[1];
  entries.queryPosition = interval[2];
  Value row = b.mul(b.mul(request, args.blockTableStride), b.i64(4));
  entries.table = {b.offset(args.blockTable, row), args.maxPages};
}

Value TokenLoop::entryAt(Value token, Value position) {
  if (!op.isTopk())
    return b.narrow(position);
  Value row = b.mul(token, args.indicesStride);
  return b.load(b.getI32Type(), args.indices, b.add(row, position));
}

/// Returns how many entries were valid. Their rows and scores are stored without gaps.
Value TokenLoop::scoreEntries(const Entries& entries, Value token) {
  Values valid =
      b.fold(entries.first, entries.last, {b.i64(0)}, [&](Value position, ValueRange counts) {
        Value entry = entryAt(token, position);
        Values found = inlineRegion(b,
                                    op.getSlots(),
                                    {entry, entries.keyBegin, entries.keyEnd, args.slots, Value()},
                                    {.table = entries.table});
        return b.choose(
            found[2],
            [&] {
              scoreRecord(entries, found[0], found[1], counts[0]);
              return Values{b.add(counts[0], b.i64(1))};
            },
            [&] { return Values{counts[0]}; });
      });
  return valid[0];
}

void TokenLoop::scoreRecord(const Entries& entries, Value key, Value slot, Value count) {
  b.store(slot, rows, count);
  convertRecord(slot, latent + rope);
  Value scoresRow = b.mul(count, b.i64(heads));
  b.loop(b.i64(0), b.i64(heads), [&](Value head) {
    Value scaled = arith::MulFOp::create(b, dotWithRecord(head), args.scale);
    Value h = b.narrow(head);
    Value position = entries.queryPosition;
    const RegionSources sources{.params = args.params};
    Value score =
        inlineRegion(b, op.getScore(), {scaled, h, position, key, entries.token}, sources)[0];
    Value keep = inlineRegion(b, op.getMask(), {h, position, key, entries.token}, sources)[0];
    Value masked = b.select(keep, score, b.f32(-kInfinity));
    b.store(masked, scores, b.add(scoresRow, head));
    Value maximum = b.load(b.getF32Type(), maxima, head);
    b.store(arith::MaximumFOp::create(b, maximum, masked), maxima, head);
  });
}

/// The only sum whose order LLVM may change.
Value TokenLoop::dotWithRecord(Value head) {
  Value query = b.mul(head, b.i64(latent + rope));
  Values sum =
      b.fold(b.i64(0), b.i64(latent + rope), {b.f32(0)}, [&](Value dim, ValueRange partial) {
        Value q = b.load(b.getF32Type(), queries, b.add(query, dim));
        Value k = b.load(b.getF32Type(), record, dim);
        return Values{multiplyAdd(b, q, k, partial[0], FastMath::reassoc | FastMath::contract)};
      });
  return sum[0];
}

/// The first `dims` of latent and rope, in this order, to f32.
void TokenLoop::convertRecord(Value slot, std::int64_t dims) {
  RecordLoad load(b, op.getRecord(), args.cacheScale);
  load.findSlot(args, slot, op.getPage());
  load.convert(FieldKind::Latent, record, 0, latent);
  if (dims > latent)
    load.convert(FieldKind::Rope, record, latent, dims - latent);
}

/// Masked entries are passed over instead of weighted by 0: their values may be anything.
void TokenLoop::sumValues(Value count) {
  b.loop(b.i64(0), count, [&](Value i) {
    convertRecord(b.load(b.getI64Type(), rows, i), valueDims);
    Value scoresRow = b.mul(i, b.i64(heads));
    b.loop(b.i64(0), b.i64(heads), [&](Value head) {
      Value score = b.load(b.getF32Type(), scores, b.add(scoresRow, head));
      Value kept = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, score, b.f32(-kInfinity));
      b.when(kept, [&] {
        Value maximum = b.load(b.getF32Type(), maxima, head);
        Value weight = math::ExpOp::create(b, arith::SubFOp::create(b, score, maximum));
        Value total = b.load(b.getF32Type(), totals, head);
        b.store(arith::AddFOp::create(b, total, weight), totals, head);
        addWeighted(head, weight);
      });
    });
  });
}

void TokenLoop::addWeighted(Value head, Value weight) {
  Value row = b.mul(head, b.i64(valueDims));
  b.loop(b.i64(0), b.i64(valueDims), [&](Value dim) {
    Value at = b.add(row, dim);
    Value sum = b.load(b.getF32Type(), sums, at);
    Value value = b.load(b.getF32Type(), record, dim);
    b.store(multiplyAdd(b, weight, value, sum, FastMath::contract), sums, at);
  });
}

void TokenLoop::storeResults(Value token) {
  b.loop(b.i64(0), b.i64(heads), [&](Value head) {
    Value maximum = b.load(b.getF32Type(), maxima, head);
    Value total = b.load(b.getF32Type(), totals, head);
    Value isEmpty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, total, b.f32(0));
    Value whole = op.getSink() ? withSink(head, maximum, total) : total;
    Value inverse =
        b.select(isEmpty, b.f32(0), arith::DivFOp::create(b, b.f32(1), whole).getResult());
    Value from = b.mul(head, b.i64(valueDims));
    Value to = args.out.row(b, token, head);
    b.loop(b.i64(0), b.i64(valueDims), [&](Value dim) {
      Value sum = b.load(b.getF32Type(), sums, b.add(from, dim));
      Value value = arith::MulFOp::create(b, sum, inverse);
      b.storeFloat(op.getOutput(), value, args.out.base, b.add(to, dim));
    });
    if (op.getLse() != mla::Lse::None)
      b.store(logSumExp(maximum, total, isEmpty), args.lse.base, args.lse.row(b, token, head));
    if (op.getMaxLogit())
      b.store(maximum, args.maxLogit.base, args.maxLogit.row(b, token, head));
  });
}

/// A sink far above all scores makes the sum infinite and the output 0, as it should be.
Value TokenLoop::withSink(Value head, Value maximum, Value total) {
  Value sink = b.load(b.getF32Type(), args.sinks, head);
  Value weight = math::ExpOp::create(b, arith::SubFOp::create(b, sink, maximum));
  return arith::AddFOp::create(b, total, weight);
}

Value TokenLoop::logSumExp(Value maximum, Value total, Value isEmpty) {
  Value whole;
  if (op.getLse() == mla::Lse::Base2) {
    Value scaled = arith::MulFOp::create(b, maximum, b.f32(std::numbers::log2e_v<float>));
    whole = arith::AddFOp::create(b, scaled, math::Log2Op::create(b, total));
  } else {
    whole = arith::AddFOp::create(b, maximum, math::LogOp::create(b, total));
  }
  return b.select(isEmpty, b.f32(op.getEmptyLsePositive() ? kInfinity : -kInfinity), whole);
}

} // namespace mlac
