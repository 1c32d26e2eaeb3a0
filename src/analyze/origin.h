// Whose code a function is: the user's own, a library's, or none that is written in Python.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analyze/overview.h"
#include "profile/profile.h"

namespace pyrometer {

enum class Origin : std::uint8_t {
  kOwn,
  kPackages,
  kStandardLibrary,
  kNative,
  kBuiltin,
  kOther,  // no code: waits, paths that are not known
};
inline constexpr std::size_t kOrigins = 6;

std::string_view name_of(Origin origin);  // "own code"
std::string_view id_of(Origin origin);    // "own": for programs

class Origins {
 public:
  explicit Origins(const Profile& profile);

  Origin of(FunctionId function) const { return of_function_[function.row()]; }
  bool is_library(FunctionId function) const {
    return of(function) == Origin::kPackages || of(function) == Origin::kStandardLibrary;
  }

 private:
  std::vector<Origin> of_function_;
};

struct OriginCost {
  Origin origin = Origin::kOther;
  std::int64_t self = 0;
};

// Those with a value, in the order above. Together they are the overview's total.
std::vector<OriginCost> make_origin_table(const Overview& overview);

}  // namespace pyrometer
