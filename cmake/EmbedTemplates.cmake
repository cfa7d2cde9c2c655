# Writes a C++ table of (name, text) for every template file.
#   cmake -DROOT=templates -DOUT=Embedded.cpp -P EmbedTemplates.cmake
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/*.cuh)
list(SORT files)
set(rows "")
foreach(file ${files})
  file(READ ${ROOT}/${file} text)
  string(APPEND rows "    {\"${file}\", R\"__mlac__(${text})__mlac__\"},\n")
endforeach()
file(WRITE ${OUT}.new
"// Generated from templates/ by cmake/EmbedTemplates.cmake.
#include \"templates/Embedded.h\"

#include <array>

namespace mlac {

std::span<const TemplateFile> templateFiles() {
  static constexpr auto kFiles = std::to_array<TemplateFile>({
${rows}  });
  return kFiles;
}

} // namespace mlac
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
