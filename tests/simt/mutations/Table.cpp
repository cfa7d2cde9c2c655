#include "tests/simt/mutations/Table.h"

#include "tests/simt/mutations/Mutations.h"
#include "tests/simt/mutations/Problems.h"

#include <fmt/format.h>

namespace mlac::mutations {
namespace {

constexpr fmt::string_view kIntroduction =
    R"(# Faults seeded into generated kernels

`tests/simt/mutations` changes one thing in the source of one kernel, runs it under the SIMT executor, and demands that it
is caught, by the check named here. {} faults: {} are caught while the kernel runs, by a report that names the place.
{} do nothing that is forbidden and are betrayed by a wrong output alone; these count half.

This page is written by `simt_mutations --write-table docs/simt-mutations.md`; a test holds it to the suite.

## Faults

| fault | what is wrong | where | problem | caught by | |
| --- | --- | --- | --- | --- | --- |
)";

constexpr const char* kLimits = R"(
## Changes that break nothing

They look like faults and are not noticed, because by the memory model nothing is wrong:

- The lower bound in `BlockTable::lookup` alone: pages are quotients of unsigned numbers. The upper bound is
  `minus_one_looked_up`.
- `Sink::has` where rows are not split: `OutputTile::put` looks at each head. Where they are split it is
  `partials_past_last_tile`.
- `tilesOfCtaLog2` with `<=`: CTAs take two tiles where the grid is for one, and half of them find none left.
)";

constexpr const char* kProblems = R"(
## Problems

Every one passes without a report when nothing is changed.

| problem | | target | kernel | splits |
| --- | --- | --- | --- | --- |
)";

std::string caughtBy(const Mutation& mutation) {
  if (mutation.expected.empty())
    return "output";
  std::string kinds;
  for (const simt::FindingKind kind : mutation.expected)
    kinds += fmt::format("{}{}", kinds.empty() ? "" : " or ", simt::kindName(kind));
  return kinds;
}

const char* remarkOn(const Mutation& mutation) {
  if (mutation.expected.empty())
    return "half";
  return mutation.orders > 0 ? "perhaps in a random order" : "";
}

std::string rowOf(const Mutation& mutation) {
  return fmt::format("| {} | {} | {} | {} | {} | {} |\n",
                     mutation.name,
                     mutation.breaks,
                     mutation.where,
                     mutation.problem,
                     caughtBy(mutation),
                     remarkOn(mutation));
}

std::string rowOf(const SmallProblem& problem) {
  return fmt::format("| {} | {} | {} | {} | {} |\n",
                     problem.name,
                     problem.what,
                     problem.target,
                     problem.shapeClass,
                     problem.pieceTiles > 0 ? "balanced" : fmt::format("{}", problem.splits));
}

} // namespace

std::string mutationPage() {
  std::string faults;
  std::size_t half = 0;
  for (const Mutation& mutation : allMutations()) {
    faults += rowOf(mutation);
    half += mutation.expected.empty() ? 1 : 0;
  }
  const std::size_t count = allMutations().size();
  std::string problems;
  for (const SmallProblem& problem : smallProblems())
    problems += rowOf(problem);
  return fmt::format(fmt::runtime(kIntroduction), count, count - half, half) + faults + kLimits +
         kProblems + problems;
}

} // namespace mlac::mutations
