#include "collect/code_table.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "support/fake_interpreter.h"

namespace pyrometer {
namespace {

using testing::FakeCode;
using testing::FakeInterpreter;

std::uint32_t identify(CodeTable& table, const FakeCode& code) {
  OwnMemory memory;
  return table.identify(memory, reinterpret_cast<std::uintptr_t>(&code));
}

std::map<std::uint32_t, CodeCopy> drained(CodeTable& table) {
  std::map<std::uint32_t, CodeCopy> copies;
  table.drain([&](const CodeCopy& copy) { copies[copy.number] = copy; });
  return copies;
}

TEST(CodeTable, CopiesACodeObjectOnce) {
  FakeInterpreter python;
  const FakeCode& code = python.add_code("Solver.solve", 20, "/home/user/wave.py");
  CodeTable table(python.layout(), true);
  const std::uint32_t number = identify(table, code);
  EXPECT_EQ(identify(table, code), number);
  const auto copies = drained(table);
  ASSERT_EQ(copies.size(), 1);
  EXPECT_EQ(copies.at(number).qualified_name, "Solver.solve");
  EXPECT_EQ(copies.at(number).file, "/home/user/wave.py");
  EXPECT_EQ(copies.at(number).first_line, 20);
  EXPECT_EQ(copies.at(number).line_table, "\xf8\xf8");
}

TEST(CodeTable, AnAddressThatIsUsedAgainGetsANewNumber) {
  FakeInterpreter python;
  FakeCode& code = python.add_code("old");
  CodeTable table(python.layout(), true);
  const std::uint32_t old_number = identify(table, code);
  table.forget(reinterpret_cast<std::uintptr_t>(&code));
  const std::uint32_t new_number = identify(table, code);  // same content, another life
  EXPECT_NE(new_number, old_number);
  EXPECT_EQ(drained(table).size(), 2);
}

TEST(CodeTable, ComparesContentWhereDeathsAreNotReported) {
  FakeInterpreter python;
  FakeCode& code = python.add_code("step_1", 1, "<generated 1>");
  CodeTable table(python.layout(), false);
  const std::uint32_t first = identify(table, code);
  code.qualified_name->data[5] = '2';  // every pointer as before
  const std::uint32_t second = identify(table, code);
  EXPECT_NE(first, second);
  EXPECT_EQ(drained(table).at(second).qualified_name, "step_2");
}

bool others_are_there = false;

TEST(CodeTable, ComparesContentOnceCodeMayDieUnheard) {
  FakeInterpreter python;
  FakeCode& code = python.add_code("step_1", 1, "<generated 1>");
  others_are_there = false;
  CodeTable table(python.layout(), true, [] { return others_are_there; });
  EXPECT_TRUE(table.deaths_are_reported());
  identify(table, code);
  others_are_there = true;
  const std::uint32_t first = identify(table, code);
  EXPECT_EQ(identify(table, code), first);
  others_are_there = false;  // what they left is still at its old addresses
  code.qualified_name->data[5] = '2';
  const std::uint32_t second = identify(table, code);
  EXPECT_NE(first, second);
  EXPECT_EQ(drained(table).at(second).qualified_name, "step_2");
  EXPECT_FALSE(table.deaths_are_reported());
}

TEST(CodeTable, KnowsTheHelperFrameOfInit) {
  FakeInterpreter python;
  FakeCode& code = python.add_code("__init__", 0);
  code.file = code.qualified_name;
  CodeTable table(python.layout(), true);
  EXPECT_EQ(identify(table, code), CodeTable::kShim);
  EXPECT_TRUE(drained(table).empty());
}

TEST(CodeTable, ReadsNamesOfAnyWidth) {
  FakeInterpreter python;
  FakeCode& code = python.add_code("??");
  const char16_t name[] = {u'变', 0xd800};  // the second is half of a pair
  std::memcpy(code.qualified_name->data, name, sizeof(name));
  code.qualified_name->state = 2U << 2U | 1U << 5U;
  CodeTable table(python.layout(), true);
  const std::uint32_t number = identify(table, code);
  EXPECT_EQ(drained(table).at(number).qualified_name, "变\ufffd");
}

TEST(CodeTable, RefusesWhenThereIsNoRoomAndRecovers) {
  FakeInterpreter python;
  CodeTable table(python.layout(), true);
  FakeCode& code = python.add_code("f");
  std::size_t accepted = 0;
  while (identify(table, code) != CodeTable::kUnknown) {
    table.forget(reinterpret_cast<std::uintptr_t>(&code));
    ++accepted;
  }
  EXPECT_GT(accepted, 1'000);
  EXPECT_EQ(drained(table).size(), accepted);
  EXPECT_NE(identify(table, code), CodeTable::kUnknown);
}

TEST(CodeTable, ServesManyThreadsAtOnce) {
  FakeInterpreter python;
  std::vector<const FakeCode*> codes;
  for (int i = 0; i < 200; ++i) {
    codes.push_back(&python.add_code("f" + std::to_string(i)));
  }
  CodeTable table(python.layout(), true);
  std::map<std::uint32_t, CodeCopy> copies;
  std::array<std::vector<std::uint32_t>, 4> numbers;
  std::vector<std::thread> threads;
  for (auto& seen : numbers) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        for (const FakeCode* code : codes) seen.push_back(identify(table, *code));
      }
    });
  }
  const auto take = [&] { table.drain([&](const CodeCopy& copy) { copies[copy.number] = copy; }); };
  for (int i = 0; i < 100; ++i) take();
  for (std::thread& thread : threads) thread.join();
  take();
  for (const auto& seen : numbers) {
    for (std::size_t i = 0; i < seen.size(); ++i) {
      ASSERT_EQ(copies.at(seen[i]).qualified_name, "f" + std::to_string(i % codes.size()));
    }
  }
}

}  // namespace
}  // namespace pyrometer
