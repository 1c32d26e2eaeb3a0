#include "base/normal_path.h"

#include <gtest/gtest.h>

namespace pyrometer {
namespace {

TEST(NormalPath, HasOneSpellingForEachFile) {
  EXPECT_EQ(normal_path("/home/me/solver.py"), "/home/me/solver.py");
  EXPECT_EQ(normal_path("/home/me/./solver.py"), "/home/me/solver.py");
  EXPECT_EQ(normal_path("/home/me/plots/../solver.py"), "/home/me/solver.py");
  EXPECT_EQ(normal_path("/home//me/solver.py"), "/home/me/solver.py");
  EXPECT_EQ(normal_path("/home/me/.cache/solver.py"), "/home/me/.cache/solver.py");
}

TEST(NormalPath, LeavesWhatIsNoPathAlone) {
  for (const char* name : {"", "<string>", "<frozen importlib._bootstrap>", "~", "../solver.py"}) {
    EXPECT_EQ(normal_path(name), name);
  }
}

}  // namespace
}  // namespace pyrometer
