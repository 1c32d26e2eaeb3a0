#include "analyze/thread_count.h"

#include <gtest/gtest.h>

#include "profile/builder.h"

namespace pyrometer {
namespace {

TEST(ThreadCount, WhatWasTooShortToBeSeenIsNoThread) {
  ProfileBuilder builder;
  const ProcessId process = builder.add_process({});
  const auto add = [&](std::uint64_t tid, const char* name) {
    builder.add_thread({.process = process, .tid = tid, .name = builder.string(name)});
  };
  add(7, "MainThread");
  add(8, "short threads: of the user");
  add(0, "short threads: worker");
  add(0, "Python threads");                  // a class of them, in a merged file
  builder.add_thread({.process = process});  // without a name
  EXPECT_EQ(count_threads(builder.finish()), 4U);
}

}  // namespace
}  // namespace pyrometer
