// Images of compiled kernels: what is taken for one, and what is known of its source.
#include "simt/exec/KernelImage.h"

#include "runtime/FileIo.h"
#include "simt/Simt.h"
#include "simt/report/SourceLines.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>

namespace mlac::simt {
namespace {

// Lines are counted from 1; the marked ones are looked up below.
constexpr const char* kSource = R"(namespace mlac {
__device__ const int kTable[4] = {2, 3, 5, 7};
__device__ int kElsewhere = 1;
}
extern "C" __attribute__((noinline)) int marked(int x) {
  return x * 3 + mlac::kTable[x & 3]; // marked
}
extern "C" __global__ void tiny(int* const out) { *out = marked(mlac::kElsewhere); }
)";
constexpr int kMarkedLine = 6;

const std::string& image() {
  static const std::string elf = [] {
    auto compiled = compileForHost({kSource, "tiny", "sm_90"});
    EXPECT_TRUE(compiled) << compiled.error().message;
    return compiled ? *compiled : std::string();
  }();
  return elf;
}

void expectCorrupt(const void* data, const char* why) {
  const auto loaded = KernelImage::load(data);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ErrorCode::CorruptData);
  EXPECT_NE(loaded.error().message.find("no kernel for the SIMT executor"), std::string::npos);
  EXPECT_NE(loaded.error().message.find(why), std::string::npos) << loaded.error().message;
}

TEST(ElfBytes, AreThoseOfTheWholeFile) {
  EXPECT_EQ(elfBytes(image().data()), image().size());
}

TEST(ElfBytes, OfWhatIsNoElfFileAreNone) {
  const std::string zeros(64, '\0');
  EXPECT_EQ(elfBytes(zeros.data()), 0U);
  const std::string text = "// PTX text, as a driver would take it";
  EXPECT_EQ(elfBytes(text.data()), 0U);
  std::string narrow = image();
  narrow[EI_CLASS] = ELFCLASS32;
  EXPECT_EQ(elfBytes(narrow.data()), 0U);
}

TEST(KernelImage, KnowsItsEntryAndItsSharedMemory) {
  const auto loaded = KernelImage::load(image().data());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->entry(), "tiny");
  EXPECT_GT((*loaded)->sharedBytes(), 227U * 1024)
      << "the largest of any target, and a zone behind";
}

TEST(KernelImage, JunkIsRefused) {
  const std::string zeros(64, '\0');
  expectCorrupt(zeros.data(), "no ELF file");
}

TEST(KernelImage, AnElfFileThatIsNoKernelIsRefused) {
  Dl_info info;
  ASSERT_NE(
      dladdr(reinterpret_cast<const void*>(static_cast<double (*)(double)>(&std::cos)), &info), 0);
  const auto library = readFile(info.dli_fname); // the mathematical library, or who holds cos
  ASSERT_TRUE(library) << library.error().message;
  expectCorrupt(library->data(), "");
}

TEST(KernelImage, ADamagedKernelIsRefused) {
  std::string damaged = image();
  std::memset(damaged.data() + sizeof(Elf64_Ehdr), 0, 4 * sizeof(Elf64_Phdr));
  expectCorrupt(damaged.data(), "");
}

TEST(KernelImage, EachLoadHasConstantsOfItsOwn) {
  const auto one = KernelImage::load(image().data());
  const auto other = KernelImage::load(image().data());
  ASSERT_TRUE(one && other);
  EXPECT_NE((*one)->shared(), (*other)->shared());
}

/// The image as a file, loaded to find out where its functions lie.
class KernelFile {
public:
  KernelFile() : path(testing::TempDir() + "mlac_kernel_image_test.so") {
    EXPECT_TRUE(replaceFile(path, image()));
    handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle, nullptr);
  }

  KernelFile(const KernelFile&) = delete;
  KernelFile& operator=(const KernelFile&) = delete;

  ~KernelFile() {
    dlclose(handle);
    std::remove(path.c_str());
  }

  std::uint32_t offsetOf(const char* function) const {
    void* const at = dlsym(handle, function);
    Dl_info info;
    EXPECT_NE(dladdr(at, &info), 0) << function;
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(at) -
                                      std::bit_cast<std::uint64_t>(info.dli_fbase));
  }

  const std::string path;

private:
  void* handle;
};

TEST(SourceLines, NameFunctionFileAndLine) {
  const KernelFile file;
  const std::vector<SourceLine> lines = sourceLines(file.path, file.offsetOf("marked"));
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].function, "marked");
  EXPECT_EQ(lines[0].file, "tiny.cu");
  EXPECT_GE(lines[0].line, kMarkedLine - 1); // the function's head or its body
  EXPECT_LE(lines[0].line, kMarkedLine);
}

TEST(SourceLines, OfNoFileAndOfNoCodeAreNone) {
  EXPECT_TRUE(sourceLines("/no/such/file.so", 16).empty());
  const KernelFile file;
  EXPECT_TRUE(sourceLines(file.path, 0x7ffffff0).empty());
}

TEST(KernelImage, QuotesTheSourceOfASite) {
  const KernelFile file;
  const auto loaded = KernelImage::load(image().data());
  ASSERT_TRUE(loaded);
  // A site is a return address: the place is that of the byte before it.
  const std::uint32_t inside = file.offsetOf("marked") + 8;
  const std::vector<std::string> lines = (*loaded)->linesOf(inside);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("tiny.cu:")) << lines[0];
  EXPECT_TRUE(lines[0].ends_with("[marked]")) << lines[0];
  EXPECT_TRUE((*loaded)->linesOf(0).empty()) << "0 stands for no site";
}

} // namespace
} // namespace mlac::simt
