// Fills a Profile: every function, position and metric once, with its content id. Values
// are added per thread and turned into the profile's compact tables by finish().
#pragma once

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/profile.h"
#include "profile/value_rows.h"

namespace pyrometer {

class ProfileBuilder {
 public:
  ProfileBuilder() = default;

  Profile& profile() { return profile_; }
  StringId string(std::string_view text) { return profile_.strings.intern(text); }

  MetricId metric(const Metric& metric);
  ModuleId module(std::string_view path, std::string_view build_id);

  struct FunctionKey {
    FunctionKind kind = FunctionKind::kPython;
    std::string_view name;
    std::string_view qualified_name;
    std::string_view file;
    std::string_view short_file;
    std::uint32_t first_line = 0;
    std::uint32_t first_column = 0;
    ModuleId module;
    std::uint64_t offset = 0;
  };
  FunctionId function(const FunctionKey& key);
  // A node that starts at `parent` (none for a root).
  NodeId node(NodeId parent, FunctionId function, std::uint32_t line);

  ProcessId add_process(Process process);
  ThreadId add_thread(Thread thread);

  // The values of one thread, to add to or replace in.
  ValueRows& values(ThreadId thread) { return values_[thread.row()]; }

  // Call edges and function totals of the same thread, metric and functions are added up.
  void add_flat(const FlatValue& value);
  void add_line(const LineValue& value);

  void add_mpi_calls(const MpiCalls& calls);

  // Copies everything of `other` in: the union of the trees, processes one after the other.
  void add_profile(const Profile& other);

  Profile finish();

 private:
  struct NodeKey {
    std::uint32_t parent, function, line;
    friend bool operator==(const NodeKey&, const NodeKey&) = default;
    friend std::size_t hash_value(const NodeKey& key) {
      std::size_t seed = key.parent;
      boost::hash_combine(seed, key.function);
      boost::hash_combine(seed, key.line);
      return seed;
    }
  };
  struct FlatKey {
    std::uint32_t thread, metric, caller, callee;
    friend bool operator==(const FlatKey&, const FlatKey&) = default;
    friend std::size_t hash_value(const FlatKey& key) {
      std::size_t seed = key.callee;
      boost::hash_combine(seed, key.caller);
      boost::hash_combine(seed, key.metric);
      boost::hash_combine(seed, key.thread);
      return seed;
    }
  };

  void derive_mpi_values();

  Profile profile_;
  std::vector<ValueRows> values_;  // by thread
  boost::unordered_flat_map<ContentId, FunctionId, std::hash<ContentId>> functions_;
  boost::unordered_flat_map<NodeKey, NodeId> nodes_;
  boost::unordered_flat_map<FlatKey, std::size_t> flat_values_;
  boost::unordered_flat_map<FlatKey, std::size_t> line_values_;
};

}  // namespace pyrometer
