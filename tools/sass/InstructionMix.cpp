#include "tools/sass/InstructionMix.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mlac::sass {
namespace {

struct KindRow {
  Kind kind;
  std::string_view name;
  std::string_view opcodes;
};

constexpr std::array<KindRow, kKinds> kKindRows = {{
    {Kind::Mma, "mma", "HMMA"},
    {Kind::LoadMatrix, "loadMatrix", "LDSM"},
    {Kind::LoadMatrixTrans, "loadMatrixTrans", "LDSM.T"},
    {Kind::MoveMatrix, "moveMatrix", "MOVM"},
    {Kind::LoadShared, "loadShared", "LDS"},
    {Kind::StoreShared, "storeShared", "STS"},
    {Kind::LoadGlobal, "loadGlobal", "LDG"},
    {Kind::StoreGlobal, "storeGlobal", "STG"},
    {Kind::AsyncCopy, "asyncCopy", "UBLKCP, LDGSTS"},
    {Kind::Local, "local", "LDL, STL"},
    {Kind::Atomic, "atomic", "ATOM, RED"},
    {Kind::Special, "special", "MUFU"},
    {Kind::Exchange, "exchange", "SHFL, VOTE, REDUX"},
    {Kind::Barrier, "barrier", "BAR, SYNCS, fences"},
    {Kind::Float, "float", "FP32"},
    {Kind::Integer, "integer", "integer, address"},
    {Kind::Move, "move", "moves, constants"},
    {Kind::Control, "control", "control"},
    {Kind::Other, "other", "other"},
}};

using OpcodeRow = std::pair<std::string_view, Kind>;

// Opcodes without modifiers, by CUDA Binary Utilities' "Instruction Set Reference" for Hopper and
// Blackwell. Those of the uniform datapath (a U before the name) stand with their likes.
constexpr auto kOpcodes = std::to_array<OpcodeRow>({
    {"HMMA", Kind::Mma},          {"IMMA", Kind::Mma},         {"QMMA", Kind::Mma},
    {"OMMA", Kind::Mma},          {"DMMA", Kind::Mma},         {"HGMMA", Kind::Mma},
    {"QGMMA", Kind::Mma},         {"IGMMA", Kind::Mma},        {"LDSM", Kind::LoadMatrix},
    {"MOVM", Kind::MoveMatrix},   {"LDS", Kind::LoadShared},   {"STS", Kind::StoreShared},
    {"STSM", Kind::StoreShared},  {"LDG", Kind::LoadGlobal},   {"LD", Kind::LoadGlobal},
    {"STG", Kind::StoreGlobal},   {"ST", Kind::StoreGlobal},   {"UBLKCP", Kind::AsyncCopy},
    {"UTMALDG", Kind::AsyncCopy}, {"LDGSTS", Kind::AsyncCopy}, {"LDGDEPBAR", Kind::AsyncCopy},
    {"DEPBAR", Kind::AsyncCopy},  {"UBLKPF", Kind::AsyncCopy}, {"LDL", Kind::Local},
    {"STL", Kind::Local},         {"ATOM", Kind::Atomic},      {"ATOMG", Kind::Atomic},
    {"ATOMS", Kind::Atomic},      {"RED", Kind::Atomic},       {"REDG", Kind::Atomic},
    {"MUFU", Kind::Special},      {"SHFL", Kind::Exchange},    {"VOTE", Kind::Exchange},
    {"VOTEU", Kind::Exchange},    {"REDUX", Kind::Exchange},   {"CREDUX", Kind::Exchange},
    {"MATCH", Kind::Exchange},    {"BAR", Kind::Barrier},      {"SYNCS", Kind::Barrier},
    {"FENCE", Kind::Barrier},     {"MEMBAR", Kind::Barrier},   {"ERRBAR", Kind::Barrier},
    {"CCTL", Kind::Barrier},      {"ACQBULK", Kind::Barrier},  {"PREEXIT", Kind::Barrier},
    {"FADD", Kind::Float},        {"FADD2", Kind::Float},      {"FMUL", Kind::Float},
    {"FMUL2", Kind::Float},       {"FFMA", Kind::Float},       {"FFMA2", Kind::Float},
    {"FMNMX", Kind::Float},       {"FMNMX3", Kind::Float},     {"FSETP", Kind::Float},
    {"FSET", Kind::Float},        {"FSEL", Kind::Float},       {"FCHK", Kind::Float},
    {"HADD2", Kind::Float},       {"HMUL2", Kind::Float},      {"HFMA2", Kind::Float},
    {"HMNMX2", Kind::Float},      {"HSETP2", Kind::Float},     {"F2FP", Kind::Float},
    {"F2F", Kind::Float},         {"IMAD", Kind::Integer},     {"IADD", Kind::Integer},
    {"IADD3", Kind::Integer},     {"VIADD", Kind::Integer},    {"VIADDMNMX", Kind::Integer},
    {"VIMNMX", Kind::Integer},    {"VIMNMX3", Kind::Integer},  {"IMNMX", Kind::Integer},
    {"ISETP", Kind::Integer},     {"ICMP", Kind::Integer},     {"IABS", Kind::Integer},
    {"LEA", Kind::Integer},       {"LOP3", Kind::Integer},     {"PLOP3", Kind::Integer},
    {"SHF", Kind::Integer},       {"SHL", Kind::Integer},      {"SHR", Kind::Integer},
    {"BMSK", Kind::Integer},      {"SGXT", Kind::Integer},     {"POPC", Kind::Integer},
    {"FLO", Kind::Integer},       {"BREV", Kind::Integer},     {"I2F", Kind::Integer},
    {"I2FP", Kind::Integer},      {"F2I", Kind::Integer},      {"SEL", Kind::Integer},
    {"PRMT", Kind::Integer},      {"P2R", Kind::Integer},      {"R2P", Kind::Integer},
    {"MOV", Kind::Move},          {"CS2R", Kind::Move},        {"S2R", Kind::Move},
    {"S2UR", Kind::Move},         {"R2UR", Kind::Move},        {"LDC", Kind::Move},
    {"LDCU", Kind::Move},         {"ULDC", Kind::Move},        {"BRA", Kind::Control},
    {"BRX", Kind::Control},       {"BRXU", Kind::Control},     {"JMP", Kind::Control},
    {"JMX", Kind::Control},       {"CALL", Kind::Control},     {"RET", Kind::Control},
    {"EXIT", Kind::Control},      {"BSSY", Kind::Control},     {"BSYNC", Kind::Control},
    {"BREAK", Kind::Control},     {"BMOV", Kind::Control},     {"BPT", Kind::Control},
    {"KILL", Kind::Control},      {"YIELD", Kind::Control},    {"NANOSLEEP", Kind::Control},
    {"WARPSYNC", Kind::Control},  {"ELECT", Kind::Control},    {"ENDCOLLECTIVE", Kind::Control},
    {"WARPGROUP", Kind::Control},
});

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front())) != 0)
    text.remove_prefix(1);
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())) != 0)
    text.remove_suffix(1);
  return text;
}

/// Takes the first word off `text`.
std::string_view takeWord(std::string_view& text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t;"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<Kind> lookUp(std::string_view root) {
  const auto* const row = std::find_if(kOpcodes.begin(),
                                       kOpcodes.end(),
                                       [&](const OpcodeRow& known) { return known.first == root; });
  if (row == kOpcodes.end())
    return std::nullopt;
  return row->second;
}

struct Instruction {
  std::string_view opcode;
  std::string_view operands;
};

/// `/*0050*/  @P0 BRA `(.L_x_1) ;`; nothing where the line holds no instruction. A second comment
/// alone on a line, as -hex prints it, is none.
std::optional<Instruction> readInstruction(std::string_view line) {
  line = trimmed(line);
  const std::size_t end = line.find("*/");
  if (!line.starts_with("/*") || end == std::string_view::npos)
    return std::nullopt;
  std::string_view rest = trimmed(line.substr(end + 2));
  if (rest.starts_with("{"))
    rest.remove_prefix(1);
  Instruction read;
  read.opcode = takeWord(rest);
  if (read.opcode.starts_with("@"))
    read.opcode = takeWord(rest);
  if (read.opcode.empty() || std::isupper(static_cast<unsigned char>(read.opcode.front())) == 0)
    return std::nullopt;
  read.operands = rest;
  return read;
}

/// `.L_x_7:`; nothing where the line is no label.
std::optional<std::string_view> readLabel(std::string_view line) {
  line = trimmed(line);
  if (line.size() < 2 || line.back() != ':' || line.find_first_of(" \t/") != std::string_view::npos)
    return std::nullopt;
  return line.substr(0, line.size() - 1);
}

/// Where a branch goes: the label in `(...) of its operands.
std::string_view branchTarget(std::string_view operands) {
  const std::size_t begin = operands.find("`(");
  const std::size_t end = operands.find(')', begin);
  if (begin == std::string_view::npos || end == std::string_view::npos)
    return {};
  return operands.substr(begin + 2, end - begin - 2);
}

class Counter {
public:
  void readLine(std::string_view line) {
    if (const auto label = readLabel(line))
      labels.emplace(*label, kinds.size());
    else if (const auto instruction = readInstruction(line))
      add(*instruction);
  }

  bool hasInstructions() const { return !kinds.empty(); }

  KernelMix result() const { return {mixOf(0, kinds.size()), keyLoop}; }

private:
  void add(const Instruction& instruction) {
    kinds.push_back(kindOf(instruction.opcode));
    if (!instruction.opcode.starts_with("BRA"))
      return;
    // A label that was seen already lies behind: the branch closes a loop.
    const auto label = labels.find(branchTarget(instruction.operands));
    if (label != labels.end())
      considerLoop(mixOf(label->second, kinds.size()));
  }

  void considerLoop(const InstructionMix& loop) {
    const int products = loop.of(Kind::Mma);
    const int most = keyLoop ? keyLoop->of(Kind::Mma) : 0;
    if (products > most || (products == most && keyLoop && loop.total() < keyLoop->total()))
      keyLoop = loop;
  }

  InstructionMix mixOf(std::size_t begin, std::size_t end) const {
    InstructionMix mix;
    for (std::size_t i = begin; i < end; ++i)
      if (kinds[i])
        ++mix.counts[static_cast<std::size_t>(*kinds[i])];
    return mix;
  }

  std::vector<std::optional<Kind>> kinds; ///< of every instruction so far
  std::unordered_map<std::string_view, std::size_t> labels;
  std::optional<InstructionMix> keyLoop;
};

} // namespace

std::span<const Kind> allKinds() {
  static constexpr auto kAll = [] {
    std::array<Kind, kKinds> all{};
    for (std::size_t i = 0; i < kKinds; ++i)
      all[i] = kKindRows[i].kind;
    return all;
  }();
  return kAll;
}

std::string_view kindName(Kind kind) {
  return kKindRows[static_cast<std::size_t>(kind)].name;
}

std::string_view kindOpcodes(Kind kind) {
  return kKindRows[static_cast<std::size_t>(kind)].opcodes;
}

int InstructionMix::total() const {
  return std::accumulate(counts.begin(), counts.end(), 0);
}

std::optional<Kind> kindOf(std::string_view opcode) {
  const std::string_view root = opcode.substr(0, opcode.find('.'));
  if (root == "NOP")
    return std::nullopt;
  if (root == "LDSM" && opcode.find(".MT") != std::string_view::npos)
    return Kind::LoadMatrixTrans;
  if (opcode.starts_with("IMAD.MOV"))
    return Kind::Move;
  if (const auto known = lookUp(root))
    return known;
  // UIADD3, USHF, UMOV: the uniform datapath's.
  if (root.starts_with("U"))
    if (const auto known = lookUp(root.substr(1)))
      return known;
  return Kind::Other;
}

Result<KernelMix> countInstructions(std::string_view listing) {
  Counter counter;
  for (std::size_t at = 0; at < listing.size();) {
    const std::size_t end = std::min(listing.find('\n', at), listing.size());
    counter.readLine(listing.substr(at, end - at));
    at = end + 1;
  }
  if (!counter.hasInstructions())
    return Error{ErrorCode::CorruptData, "the disassembler's text holds no instruction"};
  return counter.result();
}

} // namespace mlac::sass
