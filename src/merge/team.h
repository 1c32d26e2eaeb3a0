// The processes that merge one job together: messages of any size between them, in the order they
// were sent. Every member makes the same calls of the functions below.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace pyrometer {

class Team {
 public:
  Team() = default;
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  virtual ~Team() = default;

  virtual std::uint32_t member() const = 0;  // this process; 0 writes the file
  virtual std::uint32_t size() const = 0;
  // May wait until the other one receives.
  virtual void send(std::uint32_t to, std::string_view bytes) = 0;
  virtual std::string receive(std::uint32_t from) = 0;

  bool is_first() const { return member() == 0; }
};

// A process that merges alone.
class AloneTeam : public Team {
 public:
  std::uint32_t member() const override { return 0; }
  std::uint32_t size() const override { return 1; }
  void send(std::uint32_t, std::string_view) override {}
  std::string receive(std::uint32_t) override { return {}; }
};

// What each member says, by member: for the first one, nothing for the others.
std::vector<std::string> gather(Team& team, std::string_view bytes);

// What the first member says, for all.
std::string broadcast(Team& team, std::string bytes);

// The first error of any member, for all; fine only where everything is fine.
Result<void> agree(Team& team, const Result<void>& mine);

}  // namespace pyrometer
