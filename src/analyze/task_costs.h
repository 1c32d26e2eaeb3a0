// What tasks of asyncio did: their work, and where they wait for what. A task is the root of a tree
// of its own in the profile: the coroutines it is in, with the lines they stand on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace pyrometer {

// A line of a coroutine; of the program's own code where there is any on the way.
struct TaskPlace {
  FunctionId function = FunctionId::none();  // none: not known
  std::uint32_t line = 0;
};

struct TaskWait {
  TaskPlace at;
  std::string awaited;  // "sleep", "Queue.get", "task fetch()"; empty: not known
  std::int64_t time = 0;
};

// Tasks of one name. Times are in ns, over all processes; those of tasks that wait beside each
// other add up, so that they can be longer than the program ran.
struct TaskCost {
  std::string name;
  std::int64_t tasks = 0;    // that were seen
  std::int64_t work = 0;     // on a core
  std::int64_t blocked = 0;  // off it, without letting the loop go on
  std::int64_t waiting = 0;  // suspended
  std::int64_t ready = 0;    // of that, only for its turn
  std::int64_t longest = 0;  // without giving the loop a turn, as far as was seen
  TaskPlace longest_at;
  std::vector<TaskWait> waits;  // the longest first

  std::int64_t all() const { return work + blocked + waiting; }
};

// Those with most time first.
std::vector<TaskCost> make_task_costs(const Profile& profile);

// "solve app.py:12", or nothing where the place is not known.
std::string task_place_words(const Profile& profile, const TaskPlace& place);

}  // namespace pyrometer
