// How ranks are called in sentences and tables.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyze/ranks/rank_facts.h"

namespace pyrometer {

// "0-3, 7 and 12 more", from sorted numbers.
std::string rank_ranges(const std::vector<std::int64_t>& numbers);
std::string rank_ranges(const RankList& list, const std::vector<std::uint32_t>& rows);

// "solver.py:61"; the function where there is no line.
std::string line_words(const Profile& profile, const CodeLine& place);
// "MPI_Allreduce at solver.py:88"
std::string site_words(const Profile& profile, const MpiCallLine& site);

// "12.3 s", from a sum or a mean of nanoseconds.
std::string time_words(double nanoseconds);

}  // namespace pyrometer
