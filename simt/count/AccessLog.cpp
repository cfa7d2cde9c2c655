#include "simt/count/AccessLog.h"

#include <algorithm>
#include <bit>
#include <map>
#include <tuple>
#include <utility>

namespace mlac::simt {
namespace {

constexpr int kWarpLanes = 32;
constexpr int kBanks = 32;
constexpr int kBankBytes = 4;
constexpr int kSectorBytes = 32;

/// The lanes' accesses of one warp instruction.
struct WarpAccess {
  LoggedAccess first;
  LaneAddresses addresses;
};

void count(const WarpAccess& access, Counters& counters) {
  const LoggedAccess& kind = access.first;
  if (kind.space == AccessSpace::Shared) {
    (kind.write ? counters.sharedStores : counters.sharedLoads) += 1;
    counters.sharedConflicts += bankConflicts(access.addresses, kind.bytes);
    return;
  }
  if (kind.space == AccessSpace::Async) {
    counters.asyncSectors += sectorsTouched(access.addresses, kind.bytes);
    return;
  }
  (kind.write ? counters.globalStoreBytes : counters.globalLoadBytes) +=
      std::int64_t{kind.bytes} * std::popcount(access.addresses.lanes);
  (kind.write ? counters.globalStoreSectors : counters.globalLoadSectors) +=
      sectorsTouched(access.addresses, kind.bytes);
}

/// Wavefronts of the lanes [first, first + count), which are served together: as many as the
/// busiest bank has words.
int wavefronts(const LaneAddresses& addresses, int first, int count, int bytesEach) {
  std::array<std::vector<std::uint64_t>, kBanks> words;
  std::size_t most = 0;
  for (int lane = first; lane < first + count; ++lane) {
    if ((addresses.lanes >> lane & 1) == 0)
      continue;
    const std::uint64_t low = addresses.at[static_cast<std::size_t>(lane)];
    for (std::uint64_t word = low / kBankBytes; word <= (low + bytesEach - 1) / kBankBytes;
         ++word) {
      std::vector<std::uint64_t>& bank = words[word % kBanks];
      if (std::find(bank.begin(), bank.end(), word) == bank.end())
        bank.push_back(word);
      most = std::max(most, bank.size());
    }
  }
  return static_cast<int>(most);
}

} // namespace

int bankConflicts(const LaneAddresses& addresses, int bytesEach) {
  const int atOnce = bytesEach > 2 * kBankBytes ? 8 : bytesEach > kBankBytes ? 16 : kWarpLanes;
  int conflicts = 0;
  for (int first = 0; first < kWarpLanes; first += atOnce)
    conflicts += std::max(0, wavefronts(addresses, first, atOnce, bytesEach) - 1);
  return conflicts;
}

int sectorsTouched(const LaneAddresses& addresses, int bytesEach) {
  std::vector<std::uint64_t> sectors;
  for (std::size_t lane = 0; lane < kWarpLanes; ++lane) {
    if ((addresses.lanes >> lane & 1) == 0)
      continue;
    const std::uint64_t low = addresses.at[lane];
    for (std::uint64_t sector = low / kSectorBytes; sector <= (low + bytesEach - 1) / kSectorBytes;
         ++sector)
      sectors.push_back(sector);
  }
  std::sort(sectors.begin(), sectors.end());
  return static_cast<int>(std::unique(sectors.begin(), sectors.end()) - sectors.begin());
}

bool AccessLog::add(std::uint32_t lane, const LoggedAccess& access) {
  lanes[lane].push_back(access);
  return lanes[lane].size() < kMostLogged;
}

void AccessLog::flush(Counters& counters) {
  using Instruction =
      std::tuple<std::uint32_t, bool, std::uint32_t>; // site, write, how many before
  std::map<Instruction, WarpAccess> together;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    std::map<std::pair<std::uint32_t, bool>, std::uint32_t> times;
    for (const LoggedAccess& access : lanes[lane]) {
      const std::uint32_t before = times[{access.site, access.write}]++;
      WarpAccess& group = together[{access.site, access.write, before}];
      group.first = access;
      group.addresses.lanes |= 1u << lane;
      group.addresses.at[lane] = access.address;
    }
    lanes[lane].clear();
  }
  for (const auto& [instruction, access] : together)
    count(access, counters);
}

} // namespace mlac::simt
