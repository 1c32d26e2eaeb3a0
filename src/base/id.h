// The number of a row in one table. The tag names the table, so a FunctionId
// cannot be passed where a StringId is wanted.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>

namespace pyrometer {

template <class Table>
class Id {
 public:
  constexpr Id() = default;  // none()
  constexpr explicit Id(std::uint32_t row) : row_(row) {}
  static constexpr Id from_index(std::size_t index) {
    return Id(static_cast<std::uint32_t>(index));
  }
  // Stands for "no row", for example the parent of a root.
  static constexpr Id none() { return Id(); }

  constexpr std::uint32_t row() const { return row_; }
  constexpr bool is_none() const { return *this == none(); }
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  std::uint32_t row_ = std::numeric_limits<std::uint32_t>::max();
};

}  // namespace pyrometer

template <class Table>
struct std::hash<pyrometer::Id<Table>> {
  std::size_t operator()(pyrometer::Id<Table> id) const noexcept { return id.row(); }
};
