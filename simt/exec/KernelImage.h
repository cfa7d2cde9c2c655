// KernelImage: a kernel compiled for the executor, loaded into this process.
#pragma once

#include "common/Result.h"
#include "simt/device/Abi.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace mlac::simt {

/// One object of the image, as offsets from its base.
struct ImageRange {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
};

class KernelImage {
public:
  /// Loads an ELF shared object that compileForHost made. CorruptData where it is none.
  static Result<std::unique_ptr<KernelImage>> load(const void* elf);

  KernelImage(const KernelImage&) = delete;
  KernelImage& operator=(const KernelImage&) = delete;
  ~KernelImage();

  const std::string& entry() const { return entryName; }

  /// Calls the kernel as the running GPU thread.
  void call(const void* args) const { callEntry(args); }

  /// The calling OS thread's own.
  Running& running() const { return *runningOf(); }

  unsigned char* shared() const { return sharedOf(); }

  std::uint64_t sharedBytes() const { return sharedSize; }

  /// Whether the bytes lie in one constant of the kernel.
  bool holds(std::uint64_t address, std::uint64_t bytes) const;

  /// A return address as reports keep it.
  std::uint32_t siteOf(const void* returnAddress) const;

  /// Whether two sites are the same place of the source: a compiler may make several copies of one.
  /// True where nothing can tell.
  bool sameSource(std::uint32_t a, std::uint32_t b) const;

  /// The source lines behind a site, innermost first; empty where nothing can tell.
  std::vector<std::string> linesOf(std::uint32_t site) const;

private:
  KernelImage() = default;

  const std::string& placeOf(std::uint32_t site) const;

  int file = -1;
  std::string path; ///< by which the file can be read while it is open
  void* handle = nullptr;
  std::uint64_t base = 0;
  std::vector<ImageRange> objects;
  std::string entryName;
  std::string_view source; ///< in the image
  std::uint64_t sharedSize = 0;
  mutable std::mutex placesMutex;
  mutable std::map<std::uint32_t, std::string> places; ///< by site: file and line of each call
  void (*callEntry)(const void*) = nullptr;
  Running* (*runningOf)() = nullptr;
  unsigned char* (*sharedOf)() = nullptr;
};

/// Bytes of the ELF image at `elf`, by its section table; 0 where it is none.
std::uint64_t elfBytes(const void* elf);

} // namespace mlac::simt
