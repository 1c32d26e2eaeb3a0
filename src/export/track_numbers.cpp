#include "export/track_numbers.h"

#include <boost/unordered/unordered_flat_set.hpp>

namespace pyrometer {
namespace {

// The numbers themselves when they are distinct and none is 0, else those of the rows.
std::vector<std::uint64_t> distinct(std::vector<std::uint64_t> numbers) {
  boost::unordered_flat_set<std::uint64_t> seen = {0};
  for (const std::uint64_t number : numbers) {
    if (seen.insert(number).second) continue;
    for (std::size_t row = 0; row < numbers.size(); ++row) numbers[row] = row + 1;
    break;
  }
  return numbers;
}

}  // namespace

std::vector<std::uint64_t> process_numbers(const Profile& profile) {
  std::vector<std::uint64_t> numbers;
  for (const Process& process : profile.processes) numbers.push_back(process.pid);
  return distinct(std::move(numbers));
}

std::vector<std::uint64_t> thread_numbers(const Profile& profile) {
  std::vector<std::uint64_t> numbers;
  for (const Thread& thread : profile.threads) numbers.push_back(thread.tid);
  return distinct(std::move(numbers));
}

}  // namespace pyrometer
