#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "collect/byte_ring.h"
#include "collect/call_tree.h"
#include "collect/sample_ring.h"

namespace pyrometer {
namespace {

TEST(ByteRing, KeepsOrderAcrossItsEnd) {
  ByteRing ring(256);
  std::string expected;
  std::string received;
  for (int i = 0; i < 200; ++i) {
    const std::string message(static_cast<std::size_t>(i) % 60 + 1,
                              static_cast<char>('a' + i % 26));
    char* room = ring.reserve(message.size());
    ASSERT_NE(room, nullptr);
    std::memcpy(room, message.data(), message.size());
    ring.commit(room);
    expected += message;
    if (i % 2 == 1) ring.drain([&](std::string_view bytes) { received += bytes; });
  }
  EXPECT_EQ(received, expected);
}

TEST(ByteRing, RefusesWhatDoesNotFit) {
  ByteRing ring(256);
  EXPECT_EQ(ring.reserve(300), nullptr);
  EXPECT_NE(ring.reserve(200), nullptr);
  EXPECT_EQ(ring.reserve(100), nullptr);
}

TEST(ByteRing, WaitsForAMessageThatIsNotFinished) {
  ByteRing ring(256);
  char* first = ring.reserve(8);
  char* second = ring.reserve(8);
  std::memcpy(first, "11111111", 8);
  std::memcpy(second, "22222222", 8);
  ring.commit(second);
  std::string received;
  const auto take = [&](std::string_view bytes) { received += bytes; };
  ring.drain(take);
  EXPECT_EQ(received, "");
  ring.commit(first);
  ring.drain(take);
  EXPECT_EQ(received, "1111111122222222");
}

TEST(SampleRing, RefusesWhenFullAndLosesNothingElse) {
  SampleRing ring(4);
  for (std::uint32_t i = 0; i < 4; ++i) EXPECT_TRUE(ring.push({.node = i}));
  EXPECT_FALSE(ring.push({.node = 4}));
  std::uint32_t next = 0;
  ring.drain([&](const Sample& sample) { return sample.node < 2 && sample.node == next++; });
  EXPECT_EQ(next, 2);  // the third was not taken: it comes again
  ring.drain([&](const Sample& sample) { return sample.node == next++; });
  EXPECT_EQ(next, 4);
  EXPECT_TRUE(ring.push({.node = 5}));
}

TEST(CallTree, GivesOnePathOneNumber) {
  CallTree tree;
  const std::uint32_t main = tree.child({CallTree::kRoot, 7, 10});
  const std::uint32_t solve = tree.child({main, 8, 20});
  EXPECT_EQ(tree.child({CallTree::kRoot, 7, 10}), main);
  EXPECT_EQ(tree.child({main, 8, 20}), solve);
  EXPECT_NE(tree.child({main, 8, 22}), solve);
  EXPECT_EQ(tree.node(solve).parent, main);
  EXPECT_EQ(tree.size(), 4);
}

TEST(CallTree, IsFullWhenNobodyMakesRoom) {
  CallTree tree;
  std::uint32_t count = 0;
  while (tree.child({CallTree::kRoot, count, 0}) != CallTree::kNoRoom) ++count;
  EXPECT_TRUE(tree.can_grow());
  EXPECT_EQ(tree.child({CallTree::kRoot, 0, 0}), 1);  // what is there is still found
  tree.make_room();
  EXPECT_NE(tree.child({CallTree::kRoot, count, 0}), CallTree::kNoRoom);
  EXPECT_EQ(tree.child({CallTree::kRoot, 0, 0}), 1);
}

TEST(CallTree, StopsGrowingAtItsLimit) {
  CallTree tree;
  std::uint32_t count = 0;
  while (tree.child({CallTree::kRoot, count, 0}) != CallTree::kNoRoom) {
    ++count;
    tree.make_room();
  }
  EXPECT_FALSE(tree.can_grow());
  EXPECT_GT(count, 60'000);
}

TEST(CallTree, KeepsRoomForALastResort) {
  CallTree tree(4096, 1024);
  std::uint32_t count = 0;
  while (tree.child({CallTree::kRoot, count, 0}) != CallTree::kNoRoom || tree.can_grow()) {
    ++count;
    tree.make_room();
  }
  EXPECT_EQ(tree.size(), 3072);
  const std::uint32_t last = tree.child({CallTree::kRoot, count, 0}, true);
  EXPECT_NE(last, CallTree::kNoRoom);
  EXPECT_EQ(tree.child({CallTree::kRoot, count, 0}), last);
}

TEST(CallTree, IsReadWhileItGrows) {
  CallTree tree;
  std::thread reader([&] {
    std::uint32_t seen = 1;
    while (seen < 20'000) {
      for (const std::uint32_t size = tree.size(); seen < size; ++seen) {
        ASSERT_EQ(tree.node(seen).code, tree.node(seen).parent + 3);
      }
      tree.make_room();
    }
  });
  std::uint32_t node = CallTree::kRoot;
  while (node < 20'000) {
    const std::uint32_t next = tree.child({node, node + 3, 0});
    if (next != CallTree::kNoRoom) node = next;
  }
  reader.join();
}

}  // namespace
}  // namespace pyrometer
