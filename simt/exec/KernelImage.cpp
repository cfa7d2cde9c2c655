#include "simt/exec/KernelImage.h"

#include "simt/exec/AbiTable.h"
#include "simt/report/SourceLines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

namespace mlac::simt {
namespace {

Error badImage(std::string_view why) {
  return {ErrorCode::CorruptData, fmt::format("this is no kernel for the SIMT executor: {}", why)};
}

/// The objects that an ELF image defines, as ranges from its base.
std::vector<ImageRange> objectsOf(const char* elf) {
  std::vector<ImageRange> objects;
  Elf64_Ehdr header;
  std::memcpy(&header, elf, sizeof header);
  for (int i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, elf + header.e_shoff + i * sizeof section, sizeof section);
    if (section.sh_type != SHT_SYMTAB)
      continue;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      Elf64_Sym symbol;
      std::memcpy(&symbol, elf + section.sh_offset + at, sizeof symbol);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_shndx != SHN_UNDEF)
        objects.push_back({symbol.st_value, symbol.st_value + symbol.st_size});
    }
  }
  return objects;
}

template <class Function>
bool find(void* handle, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(dlsym(handle, name));
  return function != nullptr;
}

/// A line of a text, counted from 1, without the space around it.
std::string_view lineOf(std::string_view text, int number) {
  for (int i = 1; i < number && !text.empty(); ++i)
    text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
  text = text.substr(0, text.find('\n'));
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos ? std::string_view() : text.substr(first);
}

} // namespace

std::uint64_t elfBytes(const void* elf) {
  Elf64_Ehdr header;
  std::memcpy(&header, elf, sizeof header.e_ident);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64)
    return 0;
  std::memcpy(&header, elf, sizeof header);
  return header.e_shoff + std::uint64_t{header.e_shentsize} * header.e_shnum;
}

Result<std::unique_ptr<KernelImage>> KernelImage::load(const void* elf) {
  const std::uint64_t bytes = elfBytes(elf);
  if (bytes == 0)
    return badImage("it is no ELF file");
  std::unique_ptr<KernelImage> image(new KernelImage());
  image->file = memfd_create("mlac-kernel", MFD_CLOEXEC);
  if (image->file < 0 || write(image->file, elf, bytes) != static_cast<ssize_t>(bytes))
    return Error{ErrorCode::IoFailed, "no memory for a kernel image"};
  image->path = fmt::format("/proc/{}/fd/{}", getpid(), image->file);
  image->handle = dlopen(image->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (image->handle == nullptr)
    return badImage(dlerror());
  void (*bind)(const Abi*) = nullptr;
  const char* (*entry)() = nullptr;
  unsigned long (*sharedBytes)() = nullptr;
  void* const handle = image->handle;
  if (!find(handle, "mlacSimtBind", bind) || !find(handle, "mlacSimtEntry", entry) ||
      !find(handle, "mlacSimtSharedBytes", sharedBytes) ||
      !find(handle, "mlacSimtCall", image->callEntry) ||
      !find(handle, "mlacSimtRunning", image->runningOf) ||
      !find(handle, "mlacSimtShared", image->sharedOf))
    return badImage("an entry is missing");
  const void* const text = dlsym(handle, "mlacSimtSource");
  if (text == nullptr)
    return badImage("its source is missing");
  image->source = static_cast<const char*>(text);
  bind(&abiTable());
  image->entryName = entry();
  image->sharedSize = sharedBytes();
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(image->callEntry), &info) == 0)
    return badImage("its address is unknown");
  image->base = std::bit_cast<std::uint64_t>(info.dli_fbase);
  image->objects = objectsOf(static_cast<const char*>(elf));
  return image;
}

KernelImage::~KernelImage() {
  if (handle != nullptr)
    dlclose(handle);
  if (file >= 0)
    close(file);
}

bool KernelImage::holds(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint64_t low = address - base;
  return std::any_of(objects.begin(), objects.end(), [&](const ImageRange& object) {
    return low >= object.low && low + bytes <= object.high;
  });
}

std::uint32_t KernelImage::siteOf(const void* returnAddress) const {
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(returnAddress) - base);
}

const std::string& KernelImage::placeOf(std::uint32_t site) const {
  const std::lock_guard lock(placesMutex);
  const auto [entry, isNew] = places.try_emplace(site);
  if (isNew)
    for (const SourceLine& line : sourceLines(path, site - 1))
      entry->second += fmt::format("{}:{};", line.file, line.line);
  return entry->second;
}

bool KernelImage::sameSource(std::uint32_t a, std::uint32_t b) const {
  return a == b || placeOf(a) == placeOf(b);
}

std::vector<std::string> KernelImage::linesOf(std::uint32_t site) const {
  std::vector<std::string> texts;
  if (site == 0)
    return texts;
  // The call lies before its return address.
  for (const SourceLine& line : sourceLines(path, site - 1)) {
    if (!line.file.ends_with(".cu"))
      continue; // the executor's own headers
    texts.push_back(fmt::format(
        "{}:{}: {}   [{}]", line.file, line.line, lineOf(source, line.line), line.function));
  }
  return texts;
}

} // namespace mlac::simt
