// Files made to break the reader, or to make it run something.
#include <gtest/gtest.h>

#include <ctime>

#include "formats/lprof_file.h"
#include "formats/pickle_bytes.h"

using namespace pyrometer;
using namespace pyrometer::pickle_bytes;

namespace {

class HostileLprof : public testing::Test {
 protected:
  // Of CPU time, and generous for a sanitizer build; the blow-ups below would take hours.
  void TearDown() override { EXPECT_LT(std::clock() - start_, 20 * CLOCKS_PER_SEC); }

 private:
  std::clock_t start_ = std::clock();
};

std::string repeated(const std::string& part, std::size_t times) {
  std::string whole;
  for (std::size_t i = 0; i < times; ++i) whole += part;
  return whole;
}

std::string error_of(const std::string& bytes) {
  const auto file = read_lprof(bytes);
  return file ? "no error" : file.error().message;
}

}  // namespace

TEST_F(HostileLprof, CutAnywhereIsAnError) {
  const std::string whole = write_lprof(small_file());
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    // On the heap and of exactly this size, for the address sanitizer.
    const std::vector<char> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut));
    const auto file = read_lprof({part.data(), part.size()});
    ASSERT_FALSE(file) << cut;
    EXPECT_EQ(file.error().code, ErrorCode::kCorrupt) << cut << file.error().message;
    looks_like_lprof({part.data(), part.size()});
  }
}

TEST_F(HostileLprof, EveryByteChangedNeverCrashes) {
  const std::string whole = write_lprof(small_file());
  for (std::size_t i = 0; i < whole.size(); ++i) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string changed = whole;
      changed[i] = static_cast<char>(byte);
      if (const auto file = read_lprof(changed)) {
        const auto again = read_lprof(write_lprof(*file));
        EXPECT_TRUE(again && *again == *file) << i;
      }
    }
  }
}

TEST_F(HostileLprof, NothingIsCalled) {
  const std::string expected =
      ": it would call os.system; only line_profiler's own statistics are read";
  const std::string call = text("id") + "\x85R.";
  EXPECT_EQ(error_of("\x80\x04" + class_name("os", "system") + call), "byte 14" + expected);
  EXPECT_EQ(error_of("\x80\x02"
                     "cos\nsystem\n" +
                     call),
            "byte 2" + expected);
  EXPECT_EQ(error_of(pickle_of("}(" + label() + class_name("os", "system") + call + "u")),
            "byte 82" + expected);
  // The class alone does not make other classes of its module harmless.
  EXPECT_NE(
      error_of("\x80\x04" + class_name("line_profiler.line_profiler", "LineProfiler") + ")R."),
      "no error");
  EXPECT_NE(error_of("\x80\x04" + class_name("os", "LineStats") + ")R."), "no error");
}

TEST_F(HostileLprof, InstructionsThatMakeObjects) {
  for (const char* code : {"(ios\nsystem\n", "(o", "P0\n", "NQ", "\x82\x01", "\x92"}) {
    const std::string error = error_of("\x80\x04" + std::string(code) + ".");
    EXPECT_NE(error.find("could run anything"), std::string::npos) << error;
  }
}

TEST_F(HostileLprof, ClaimedSizes) {
  EXPECT_FALSE(read_lprof("\x80\x04X\xff\xff\xff\x0f"));
  EXPECT_FALSE(read_lprof("\x80\x04\x8d\xff\xff\xff\xff\xff\xff\xff\xff"));
  EXPECT_FALSE(read_lprof("\x80\x04\x95\xff\xff\xff\xff\xff\xff\xff\x7f."));
  EXPECT_FALSE(read_lprof("\x80\x04\x8a\xff"));
  EXPECT_FALSE(read_lprof("\x80\x04r\xff\xff\xff\xff."));
}

TEST_F(HostileLprof, DeepNesting) {
  EXPECT_FALSE(read_lprof("\x80\x04" + std::string(1'000'000, '(')));
  EXPECT_FALSE(read_lprof("\x80\x04N" + repeated("\x85", 1'000'000) + "."));
}

TEST_F(HostileLprof, ListThatContainsItself) {
  EXPECT_FALSE(read_lprof(pickle_of("}(" + label() +
                                    "]q\x01h\x01"
                                    "au")));
  EXPECT_FALSE(
      read_lprof("\x80\x04]q\x01h\x01"
                 "a."));
}

TEST_F(HostileLprof, SharedListsStayBounded) {
  // One list of 10,000 lines under 10,000 names.
  std::string timings = "}(" + label() + "](" + repeated(one_line(), 10'000) + "eq\x05";
  timings += "u(";
  for (int i = 0; i < 10'000; ++i) {
    timings += text("a.py") + "K\x01" + text(std::to_string(i)) + "\x87h\x05";
  }
  const std::string error = error_of(pickle_of(timings + "u"));
  EXPECT_NE(error.find("repeats its lines"), std::string::npos) << error;
}

TEST_F(HostileLprof, SharedTextsStayBounded) {
  std::string timings = "}(";
  timings += std::string("X\x00\x00\x10\x00", 5) + std::string(1U << 20, 'x') + "q\x05";
  timings += "K\x01h\x05\x87]";
  for (int i = 0; i < 200; ++i) {
    timings += std::string("h\x05M") + static_cast<char>(i) + std::string(1, '\x01') + "h\x05\x87]";
  }
  const std::string error = error_of(pickle_of(timings + "u"));
  EXPECT_NE(error.find("repeats long names"), std::string::npos) << error;
}

TEST_F(HostileLprof, ValuesOfTheWrongKind) {
  const std::string lines = "](" + one_line() + "e";
  const std::string bad[] = {
      "]",                    // no dict
      "}(" + label() + "}u",  // no list
      "}(" + label() +
          "](K\x01K\x02\x86"
          "eu",  // two numbers
      "}(" + label() +
          "](K\x01K\x02NN\x87"
          "eu",                                                      // None
      "}(" + text("a.py") + lines + "u",                             // no label
      "}(" + text("a.py") + "N" + text("f") + "\x87" + lines + "u",  // no line
      "}(" + text("a.py") + "J\xff\xff\xff\xff" + text("f") + "\x87" + lines + "u",
      "}(" + label() + "u",  // no value
  };
  for (const std::string& timings : bad) EXPECT_FALSE(read_lprof(pickle_of(timings))) << timings;
  EXPECT_FALSE(read_lprof("\x80\x04N."));
  EXPECT_FALSE(read_lprof("\x80\x04."));
  EXPECT_FALSE(read_lprof("\x80\x01N."));
  EXPECT_FALSE(read_lprof("\x80\x06N."));
  EXPECT_FALSE(read_lprof(write_lprof(small_file()) + "."));
}
