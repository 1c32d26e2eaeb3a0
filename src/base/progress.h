// How long work tells how far it is. The command line draws it; without a listener it
// costs nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

namespace pyrometer {

using Progress =
    std::function<void(std::string_view step, std::uint64_t done, std::uint64_t total)>;

inline void report_progress(const Progress& progress, std::string_view step, std::uint64_t done,
                            std::uint64_t total) {
  if (progress) progress(step, done, total);
}

}  // namespace pyrometer
