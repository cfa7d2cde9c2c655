#include "runtime/SharedLibrary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <link.h>
#include <memory>
#include <string_view>

namespace mlac {
namespace {

Result<void*> open(const std::string& file, int flags) {
  dlerror();
  if (void* library = dlopen(file.c_str(), flags))
    return library;
  const char* words = dlerror();
  return Error{ErrorCode::MissingDependency,
               words != nullptr ? words : "the loader gave no reason"};
}

struct BuildIdSearch {
  std::uintptr_t address = 0;
  std::string id;
};

std::string idInNotes(const std::byte* notes, std::size_t bytes) {
  constexpr std::size_t kAlign = 4;
  std::size_t at = 0;
  while (at + sizeof(ElfW(Nhdr)) <= bytes) {
    ElfW(Nhdr) header;
    std::memcpy(&header, notes + at, sizeof header);
    const std::size_t nameAt = at + sizeof header;
    const std::size_t descAt = nameAt + (header.n_namesz + kAlign - 1) / kAlign * kAlign;
    const std::size_t next = descAt + (header.n_descsz + kAlign - 1) / kAlign * kAlign;
    if (next > bytes)
      return {};
    const bool isGnu = header.n_namesz == 4 && std::memcmp(notes + nameAt, "GNU", 4) == 0;
    if (isGnu && header.n_type == NT_GNU_BUILD_ID) {
      std::string hex;
      for (std::size_t i = 0; i < header.n_descsz; ++i)
        hex += fmt::format("{:02x}", static_cast<unsigned>(notes[descAt + i]));
      return hex;
    }
    at = next;
  }
  return {};
}

int visitLibrary(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<BuildIdSearch*>(data);
  bool holdsAddress = false;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) & segment = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + segment.p_vaddr;
    holdsAddress |= segment.p_type == PT_LOAD && search.address >= begin &&
                    search.address < begin + segment.p_memsz;
  }
  if (!holdsAddress)
    return 0;
  for (int i = 0; i < info->dlpi_phnum && search.id.empty(); ++i) {
    const ElfW(Phdr) & segment = info->dlpi_phdr[i];
    if (segment.p_type == PT_NOTE)
      search.id = idInNotes(reinterpret_cast<const std::byte*>(info->dlpi_addr + segment.p_vaddr),
                            segment.p_memsz);
  }
  return 1;
}

} // namespace

Result<void*> openLibrary(const std::string& file) {
  return open(file, RTLD_NOW | RTLD_LOCAL);
}

Result<void*> openLibraryGlobally(const std::string& file) {
  return open(file, RTLD_NOW | RTLD_GLOBAL);
}

void* librarySymbol(void* library, const char* symbol) {
  return dlsym(library, symbol);
}

std::string libraryOfAddress(const void* address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || info.dli_fname == nullptr)
    return {};
  const std::unique_ptr<char, decltype(&std::free)> real(realpath(info.dli_fname, nullptr),
                                                         &std::free);
  return real != nullptr ? real.get() : info.dli_fname;
}

std::string buildIdOfAddress(const void* address) {
  BuildIdSearch search{reinterpret_cast<std::uintptr_t>(address), {}};
  dl_iterate_phdr(visitLibrary, &search);
  return search.id;
}

} // namespace mlac
