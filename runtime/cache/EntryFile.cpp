#include "runtime/cache/EntryFile.h"

#include "common/Digest.h"

#include <bit>
#include <cstdint>
#include <cstring>

namespace mlac {
namespace {

static_assert(std::endian::native == std::endian::little, "entries are written in memory order");

constexpr std::string_view kMagic = "MLACKRNL";
constexpr std::uint32_t kVersion = 1;

struct Header {
  char magic[8];
  std::uint32_t version;
  std::uint32_t zero;
  std::uint64_t identityBytes;
  std::uint64_t toolchainBytes;
  std::uint64_t cubinBytes;
  std::uint64_t logBytes;
  std::int32_t registers;
  std::int32_t spillStoreBytes;
  std::int32_t spillLoadBytes;
  std::int32_t stackBytes;
  std::int32_t staticSmemBytes;
  std::int32_t zeroToo;
  char checksum[32];
};

static_assert(sizeof(Header) == 104, "no padding, so that every byte is under the checksum");

std::string checksumOf(Header header, std::string_view parts) {
  std::memset(header.checksum, 0, sizeof header.checksum);
  std::string covered(reinterpret_cast<const char*>(&header), sizeof header);
  return digestHex(covered.append(parts));
}

} // namespace

std::string encodeEntry(const CacheEntry& entry) {
  const CompileOutput& output = entry.output;
  Header header{};
  std::memcpy(header.magic, kMagic.data(), kMagic.size());
  header.version = kVersion;
  header.identityBytes = entry.key.identity.size();
  header.toolchainBytes = entry.key.toolchain.size();
  header.cubinBytes = output.cubin.size();
  header.logBytes = output.log.size();
  header.registers = output.resources.registers;
  header.spillStoreBytes = output.resources.spillStoreBytes;
  header.spillLoadBytes = output.resources.spillLoadBytes;
  header.stackBytes = output.resources.stackBytes;
  header.staticSmemBytes = output.resources.staticSmemBytes;
  const std::string parts = entry.key.identity + entry.key.toolchain + output.cubin + output.log;
  const std::string checksum = checksumOf(header, parts);
  std::memcpy(header.checksum, checksum.data(), sizeof header.checksum);
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + parts;
}

std::optional<CacheEntry> decodeEntry(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header)
    return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::string_view parts = bytes.substr(sizeof header);
  const bool known =
      std::string_view(header.magic, sizeof header.magic) == kMagic && header.version == kVersion;
  const std::string_view checksum(header.checksum, sizeof header.checksum);
  if (!known || checksumOf(header, parts) != checksum)
    return std::nullopt;
  // The lengths are under the checksum, but a file made with that in mind must not get past them
  // either.
  const auto take = [&](std::uint64_t length, std::string& to) {
    if (length > parts.size())
      return false;
    to = parts.substr(0, length);
    parts.remove_prefix(length);
    return true;
  };
  CacheEntry entry;
  const bool whole = take(header.identityBytes, entry.key.identity) &&
                     take(header.toolchainBytes, entry.key.toolchain) &&
                     take(header.cubinBytes, entry.output.cubin) &&
                     take(header.logBytes, entry.output.log) && parts.empty();
  if (!whole || entry.output.cubin.empty())
    return std::nullopt;
  entry.output.resources = {header.registers,
                            header.spillStoreBytes,
                            header.spillLoadBytes,
                            header.stackBytes,
                            header.staticSmemBytes};
  return entry;
}

} // namespace mlac
