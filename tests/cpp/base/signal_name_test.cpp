#include "base/signal_name.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

TEST(SignalWords, NumberAndName) {
  EXPECT_EQ(signal_words(11), "signal 11 (SIGSEGV)");
  EXPECT_EQ(signal_words(9), "signal 9 (SIGKILL)");
  EXPECT_EQ(signal_words(40), "signal 40");
}

}  // namespace
}  // namespace pyrometer
