#include "tests/simt/mutations/Mutations.h"

#include "tests/simt/mutations/Faults.h"

#include <fmt/format.h>

#include <utility>

namespace mlac::mutations {

Result<std::string> withEdits(std::string source, std::span<const Edit> edits) {
  for (const Edit& edit : edits) {
    int found = 0;
    for (std::size_t at = source.find(edit.pattern); at != std::string::npos;
         at = source.find(edit.pattern, at + edit.replacement.size())) {
      source.replace(at, edit.pattern.size(), edit.replacement);
      ++found;
    }
    if (found != edit.count)
      return Error{ErrorCode::InvalidInput,
                   fmt::format("the text below stands {} times in the kernel, not {}:\n{}",
                               found,
                               edit.count,
                               edit.pattern)};
  }
  return source;
}

const std::vector<Mutation>& allMutations() {
  static const std::vector<Mutation> all = [] {
    std::vector<Mutation> joined;
    for (const auto& part : {ringFaults(),
                             gatherFaults(),
                             rowFaults(),
                             shareFaults(),
                             arithmeticFaults(),
                             edgeFaults(),
                             groupFaults(),
                             supportFaults(),
                             mergeKernelFaults(),
                             scheduleFaults()})
      joined.insert(joined.end(), part.begin(), part.end());
    return joined;
  }();
  return all;
}

} // namespace mlac::mutations
