// The instructions of Python's pickle format that Pyrometer reads or writes.
#pragma once

#include <cstdint>
#include <string_view>

namespace pyrometer {

enum class PickleCode : std::uint8_t {
  kProtocol = 0x80,
  kFrame = 0x95,
  kStop = '.',
  kMark = '(',
  kNone = 'N',
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kBinInt = 'J',   // 4 bytes, signed
  kBinInt1 = 'K',  // 1 and 2 bytes, not negative
  kBinInt2 = 'M',
  kLong1 = 0x8a,  // a size of 1 byte, then two's complement
  kBinFloat = 'G',
  kShortBinUnicode = 0x8c,  // sizes of 1, 4 and 8 bytes
  kBinUnicode = 'X',
  kBinUnicode8 = 0x8d,
  kEmptyTuple = ')',
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kTuple = 't',
  kEmptyList = ']',
  kAppend = 'a',
  kAppends = 'e',
  kEmptyDict = '}',
  kSetItem = 's',
  kSetItems = 'u',
  kMemoize = 0x94,
  kBinPut = 'q',
  kLongBinPut = 'r',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kGlobal = 'c',
  kStackGlobal = 0x93,
  kNewObject = 0x81,
  kReduce = 'R',
  kBuild = 'b',
};

// Of the instructions that are not listed: those that make objects of any class.
inline bool may_run_code(PickleCode code) {
  constexpr std::string_view kSuch = "ioPQ\x82\x83\x84\x92";  // INST, OBJ, PERSID, EXT1, ...
  return kSuch.find(static_cast<char>(code)) != std::string_view::npos;
}

}  // namespace pyrometer
