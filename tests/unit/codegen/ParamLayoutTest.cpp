#include "compiler/codegen/ParamLayout.h"

#include "compiler/codegen/SourceWriter.h"
#include "tests/unit/schedule/ScheduleFixtures.h"

#include <gtest/gtest.h>

#include <set>

namespace mlac {
namespace {

TEST(ParamLayout, FieldsAreAlignedAndDoNotOverlap) {
  for (const KernelRole role : {KernelRole::Attention,
                                KernelRole::Combine,
                                KernelRole::Convert,
                                KernelRole::Schedule,
                                KernelRole::Merge}) {
    Variant variant = sparseVariant(8);
    variant.scale.reset();
    variant.lse = LseMode::Natural;
    variant.maxLogit = true;
    const ParamLayout layout = layoutParams(variant, role);
    std::uint32_t end = 0;
    std::set<std::string> names;
    for (const ParamField& field : layout.fields) {
      const std::uint32_t size =
          field.type == ParamType::Pointer || field.type == ParamType::I64 ? 8 : 4;
      EXPECT_EQ(field.offset % size, 0U) << field.name;
      EXPECT_GE(field.offset, end) << field.name;
      EXPECT_TRUE(names.insert(field.name).second) << field.name << " stands twice";
      end = field.offset + size;
    }
    EXPECT_GE(layout.bytes, end);
    EXPECT_EQ(layout.bytes % 8, 0U);
  }
}

TEST(ParamLayout, OnlyWhatTheVariantReadsIsPassed) {
  Variant variant = sparseVariant(8);
  variant.iterate = IterateKind::TopkPhysical;
  variant.rope = 0;
  const ParamLayout layout = layoutParams(variant, KernelRole::Attention);
  for (const ParamField& field : layout.fields) {
    EXPECT_NE(field.name, "blockTable");
    EXPECT_NE(field.name, "qRope");
    EXPECT_NE(field.name, "lse");
    EXPECT_NE(field.name, "scale");
  }
}

TEST(ParamLayout, TheStructTextNamesTheFieldsInLayoutOrder) {
  const Variant variant = sparseVariant(8);
  SourceWriter out;
  writeArgs(out, variant, KernelRole::Attention);
  const std::string text = out.take();
  std::size_t at = 0;
  for (const ParamField& field : layoutParams(variant, KernelRole::Attention).fields) {
    at = text.find(" " + field.name + ";", at);
    ASSERT_NE(at, std::string::npos) << field.name;
  }
}

} // namespace
} // namespace mlac
