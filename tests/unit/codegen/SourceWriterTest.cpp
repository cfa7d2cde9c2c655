#include "compiler/codegen/SourceWriter.h"

#include <gtest/gtest.h>

namespace mlac {
namespace {

TEST(SourceWriter, IndentsBlocksAndLeavesBlankLinesEmpty) {
  SourceWriter out;
  out.open("struct A");
  out.line("int x;");
  out.line();
  out.open("void f()");
  out.line("g();");
  out.close();
  out.close(";");
  EXPECT_EQ(out.take(), "struct A {\n  int x;\n\n  void f() {\n    g();\n  }\n};\n");
}

TEST(SourceWriter, PrefixedLinesCarryNoTrailingBlanks) {
  SourceWriter out;
  out.lines("one\n\n  two\n", "//   ");
  EXPECT_EQ(out.take(), "//   one\n//\n//     two\n");
}

} // namespace
} // namespace mlac
