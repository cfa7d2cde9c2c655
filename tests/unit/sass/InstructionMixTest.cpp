// Counting instructions in text as nvdisasm prints it.
#include "tools/sass/InstructionMix.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace mlac::sass {
namespace {

KernelMix mixOf(std::string_view listing) {
  const auto mix = countInstructions(listing);
  EXPECT_TRUE(mix) << mix.error().message;
  return mix ? *mix : KernelMix{};
}

// A kernel with a wait, a loop over keys that waits inside, an outer loop, and padding.
constexpr std::string_view kListing = R"(	.target	sm_120

//--------------------- .text.decode_many    --------------------------
	.section	.text.decode_many,"ax",@progbits
        .type           decode_many,@function
decode_many:
.text.decode_many:
        /*0000*/                   LDC R1, c[0x0][0x37c] ;
        /*0010*/                   S2R R214, SR_TID.X ;
        /*0020*/                   IMAD.MOV.U32 R3, RZ, RZ, R4 ;
.L_x_1:
        /*0030*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R3], R4 ;
        /*0040*/              @!P0 BRA `(.L_x_1) ;
.L_x_2:
        /*0050*/                   LDG.E R9, desc[UR8][R2.64] ;
.L_x_3:
        /*0060*/                   LDSM.16.M88.4 R184, [R218+0xc0] ;
        /*0070*/                   LDSM.16.MT88.4 R184, [R243+0x280] ;
        /*0080*/                   HMMA.16816.F32.BF16 R192, R188, R24, R192 ;
        /*0090*/                   MUFU.EX2 R2, R2 ;
        /*00a0*/               @P1 UBLKCP.S.G [UR12], [UR14], UR5 ;
.L_x_4:
        /*00b0*/                   SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R3], R4 ;
        /*00c0*/               @P0 BRA.U.ANY `(.L_x_4) ;
        /*00d0*/                   HMMA.16816.F32.BF16 R196, R188, R26, R196 ;
        /*00e0*/              @!P2 BRA `(.L_x_3) ;
        /*00f0*/                   STS.64 [R3], R8 ;
        /*0100*/              @!P3 BRA P4, `(.L_x_2) ;
        /*0110*/               @P0 BRA `(.L_x_5) ;
        /*0120*/                   UIADD3 UR4, UR4, 0x1, URZ ;
.L_x_5:
        /*0130*/                   EXIT ;
.L_x_6:
        /*0140*/                   BRA `(.L_x_6);
        /*0150*/                   NOP;
)";

TEST(InstructionMix, CountsEveryInstructionOnceByItsKind) {
  const InstructionMix whole = mixOf(kListing).whole;
  EXPECT_EQ(whole.of(Kind::Mma), 2);
  EXPECT_EQ(whole.of(Kind::LoadMatrix), 1);
  EXPECT_EQ(whole.of(Kind::LoadMatrixTrans), 1);
  EXPECT_EQ(whole.of(Kind::LoadGlobal), 1);
  EXPECT_EQ(whole.of(Kind::AsyncCopy), 1);
  EXPECT_EQ(whole.of(Kind::StoreShared), 1);
  EXPECT_EQ(whole.of(Kind::Special), 1);
  EXPECT_EQ(whole.of(Kind::Barrier), 2);
  EXPECT_EQ(whole.of(Kind::Move), 3);
  EXPECT_EQ(whole.of(Kind::Integer), 1);
  EXPECT_EQ(whole.of(Kind::Control), 7);
  EXPECT_EQ(whole.of(Kind::Other), 0);
  EXPECT_EQ(whole.total(), 21); // 22 lines, one of which pads
}

TEST(InstructionMix, TheKeyLoopIsTheShortestWithTheMostProducts) {
  const auto loop = mixOf(kListing).keyLoop;
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->of(Kind::Mma), 2);
  EXPECT_EQ(loop->of(Kind::LoadGlobal), 0) << "that is in the loop around it";
  EXPECT_EQ(loop->of(Kind::StoreShared), 0);
  EXPECT_EQ(loop->of(Kind::Control), 2);
  EXPECT_EQ(loop->total(), 9);
}

TEST(InstructionMix, ALoopWithMoreProductsBeatsAShorterOne) {
  const auto loop = mixOf(".L_x_0:\n /*0000*/ HMMA.16816.F32 R0, R4, R8, R0 ;\n"
                          ".L_x_1:\n /*0010*/ HMMA.16816.F32 R0, R4, R8, R0 ;\n"
                          " /*0020*/ @P0 BRA `(.L_x_1) ;\n"
                          " /*0030*/ @P1 BRA `(.L_x_0) ;\n")
                        .keyLoop;
  ASSERT_TRUE(loop);
  EXPECT_EQ(loop->of(Kind::Mma), 2);
}

TEST(InstructionMix, WithoutProductsInALoopThereIsNoKeyLoop) {
  EXPECT_FALSE(
      mixOf(".L_x_0:\n /*0000*/ FADD R0, R0, R1 ;\n /*0010*/ @P0 BRA `(.L_x_0) ;\n").keyLoop);
  EXPECT_FALSE(mixOf(" /*0000*/ HMMA.16816.F32 R0, R4, R8, R0 ;\n"
                     " /*0010*/ @P0 BRA `(.L_x_0) ;\n.L_x_0:\n /*0020*/ EXIT ;\n")
                   .keyLoop)
      << "a forward branch closes no loop";
}

TEST(InstructionMix, EncodingsAndDirectivesAreNoInstructions) {
  const InstructionMix whole = mixOf("        /*0000*/                   LDC R1, c[0x0][0x28] ;    "
                                     "  /* 0x00000a00ff017b82 */\n"
                                     "                                                             "
                                     "   /* 0x000fe20000000800 */\n"
                                     "        .weak           $__internal_0_$__cuda_sm20_div_s64\n"
                                     "$__internal_0_$__cuda_sm20_div_s64:\n"
                                     "        /*0010*/               { STL [R1], R2 ;\n")
                                   .whole;
  EXPECT_EQ(whole.total(), 2);
  EXPECT_EQ(whole.of(Kind::Local), 1);
}

TEST(InstructionMix, TextWithoutInstructionsIsAnError) {
  for (const std::string_view text : {"", "\n\n", "nvdisasm fatal : no code\n", "/*0000*/", "/*"}) {
    const auto mix = countInstructions(text);
    ASSERT_FALSE(mix) << text;
    EXPECT_EQ(mix.error().code, ErrorCode::CorruptData);
  }
}

TEST(InstructionMix, KnowsOpcodesByTheirRootAndTheirModifiers) {
  EXPECT_EQ(kindOf("LDSM.16.M88.4"), Kind::LoadMatrix);
  EXPECT_EQ(kindOf("LDSM.16.MT88.2"), Kind::LoadMatrixTrans);
  EXPECT_EQ(kindOf("LDS.128"), Kind::LoadShared);
  EXPECT_EQ(kindOf("LDL.LU"), Kind::Local);
  EXPECT_EQ(kindOf("LDGSTS.E.BYPASS.128"), Kind::AsyncCopy);
  EXPECT_EQ(kindOf("MOVM.16.MT88"), Kind::MoveMatrix);
  EXPECT_EQ(kindOf("IMAD.WIDE"), Kind::Integer);
  EXPECT_EQ(kindOf("IMAD.MOV.U32"), Kind::Move);
  EXPECT_EQ(kindOf("USHF.L.U32"), Kind::Integer);
  EXPECT_EQ(kindOf("UMOV"), Kind::Move);
  EXPECT_EQ(kindOf("NEWOP.X"), Kind::Other);
  EXPECT_EQ(kindOf("NOP"), std::nullopt);
}

TEST(InstructionMix, KindsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const Kind kind : allKinds())
    names.insert(kindName(kind));
  EXPECT_EQ(names.size(), kKinds);
  EXPECT_EQ(kindName(Kind::Other), "other");
  EXPECT_EQ(kindOpcodes(Kind::Local), "LDL, STL");
}

} // namespace
} // namespace mlac::sass
