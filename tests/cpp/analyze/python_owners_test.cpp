#include "analyze/python_owners.h"

#include <gtest/gtest.h>

#include "analyze/ranks/rank_items.h"
#include "profile/builder.h"
#include "profile/mpi_values.h"

namespace pyrometer {
namespace {

// main:3 imports mpi4py; the import system loads a library, which begins MPI.
struct ImportingProgram {
  ProfileBuilder builder;
  NodeId main = builder.node(NodeId::none(),
                             builder.function({.name = "main", .file = "/home/user/main.py"}), 3);
  NodeId import = builder.node(
      main, builder.function({.name = "_find_and_load", .file = "<frozen importlib._bootstrap>"}),
      1178);
  NodeId create = builder.node(
      import,
      builder.function({.name = "create", .file = "<frozen importlib._bootstrap_external>"}), 241);
  NodeId native = builder.node(
      create, builder.function({.kind = FunctionKind::kNative, .name = "libmpi.so"}), 0);
};

TEST(PythonOwners, WhatTheImportSystemCallsIsTheImportingLines) {
  ImportingProgram program;
  const NodeId loader = program.builder.node(
      NodeId::none(),
      program.builder.function({.name = "_run", .file = "<frozen importlib._bootstrap>"}), 1);
  const NodeId runner = program.builder.node(
      NodeId::none(), program.builder.function({.name = "run", .file = "<frozen runpy>"}), 88);
  const Profile profile = program.builder.finish();
  const std::vector<NodeId> owners = python_owners(profile);
  for (const NodeId node : {program.main, program.import, program.create, program.native}) {
    EXPECT_EQ(owners[node.row()], program.main);
  }
  EXPECT_EQ(owners[loader.row()], loader) << "nobody is above it";
  EXPECT_EQ(owners[runner.row()], runner) << "it runs the program";
}

TEST(PythonOwners, MpiThatBeginsInAnImportIsAtItsLine) {
  ImportingProgram program;
  const FunctionId init = program.builder.function(
      {.kind = FunctionKind::kNative, .name = "MPI_Init_thread", .short_file = "MPI"});
  program.builder.node(program.create, init, 0);
  const Profile profile = program.builder.finish();
  const RankItems items(profile);
  ASSERT_EQ(items.sites.size(), 1U);
  EXPECT_EQ(items.sites[0].caller.function, profile.nodes[program.main.row()].function);
  EXPECT_EQ(items.sites[0].caller.line, 3U);
  EXPECT_TRUE(items.sites[0].is_start);
}

}  // namespace
}  // namespace pyrometer
