// SharedLibrary: dlopen and what can be asked of a loaded library.
#pragma once

#include "common/Result.h"

#include <string>

namespace mlac {

/// Loads `file` (a path, or a name for the loader's own search). Never unloaded. The error holds
/// the loader's words.
Result<void*> openLibrary(const std::string& file);

/// Like openLibrary, with the library's symbols offered to those loaded later.
Result<void*> openLibraryGlobally(const std::string& file);

/// The symbol's address, or null.
void* librarySymbol(void* library, const char* symbol);

/// Path of the loaded library that holds `address`, with links resolved; empty if none does.
std::string libraryOfAddress(const void* address);

/// ELF build id, in hex, of the loaded library that holds `address`; empty where it carries none.
std::string buildIdOfAddress(const void* address);

} // namespace mlac
