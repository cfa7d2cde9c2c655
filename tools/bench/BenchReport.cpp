#include "tools/bench/BenchReport.h"

#include <algorithm>

namespace mlac {

std::vector<std::string> BenchReport::contestants() const {
  std::vector<std::string> names;
  for (const BenchCase& one : cases)
    for (const BenchRow& row : one.rows)
      if (std::find(names.begin(), names.end(), row.contestant) == names.end())
        names.push_back(row.contestant);
  return names;
}

Status BenchReport::verdict() const {
  for (const Error& error : errors)
    if (error.code == ErrorCode::VerificationFailed)
      return error;
  return errors.empty() ? Status(Unit{}) : errors.front();
}

const BenchRow* rowOf(const BenchCase& one, const std::string& contestant) {
  for (const BenchRow& row : one.rows)
    if (row.contestant == contestant)
      return &row;
  return nullptr;
}

} // namespace mlac
