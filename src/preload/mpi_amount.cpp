#include "preload/mpi_amount.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace pyrometer::preload {
namespace {

class AmountReader {
 public:
  AmountReader(const Arguments& arguments, Binding binding, const LoadedMpi& library,
               const Slot* slots)
      : arguments_(arguments),
        library_(library),
        slots_(slots),
        is_fortran_(binding != Binding::kC) {}

  Amount read() const {
    Amount amount;
    if (!library_.constants.are_known) return amount;
    const Slot communicator = handle(arguments_.communicator);
    const bool has_communicator = arguments_.communicator != Arguments::kNone &&
                                  !is_same(communicator, library_.constants.no_communicator);
    if (has_communicator) {
      amount.communicator = ask(library_.queries.comm_size, arguments_.communicator);
    }
    if (arguments_.datatype == Arguments::kNone || takes_no_part()) return amount;
    const bool is_other = is_in_place();
    const std::int8_t count = is_other ? arguments_.other_count : arguments_.count;
    const std::int8_t datatype = is_other ? arguments_.other_datatype : arguments_.datatype;
    if (datatype == Arguments::kNone) return amount;
    const std::uint64_t items = arguments_.has_counts ? sum_of_counts(count, amount.communicator)
                                : count == Arguments::kNone ? 1
                                                            : number(count, 0);
    if (items == 0 || is_same(handle(datatype), library_.constants.no_datatype)) return amount;
    amount.bytes = items * ask(library_.queries.type_size, datatype);
    if (arguments_.each_rank) amount.bytes *= amount.communicator;
    return amount;
  }

 private:
  // Handles may be ints in the low half of a slot, the rest of which is anything.
  static bool is_same(Slot a, Slot b) {
    constexpr Slot kFirstAddress = 1L << 32U;
    return b < kFirstAddress ? static_cast<std::int32_t>(a) == static_cast<std::int32_t>(b)
                             : a == b;
  }

  Slot handle(std::int8_t argument) const {
    if (argument == Arguments::kNone) return 0;
    return is_fortran_ ? static_cast<Slot>(number(argument, 0)) : slots_[argument];
  }

  // The n-th of the numbers at an argument; of a plain C argument there is only one. Negative
  // ones are mistakes that MPI will complain of.
  std::uint64_t number(std::int8_t argument, std::size_t n) const {
    const bool is_address = is_fortran_ || arguments_.has_counts;
    if (!is_address) {
      const Slot value =
          arguments_.is_large ? slots_[argument] : static_cast<std::int32_t>(slots_[argument]);
      return value < 0 ? 0 : static_cast<std::uint64_t>(value);
    }
    const char* at = reinterpret_cast<const char*>(slots_[argument]);
    if (at == nullptr) return 0;
    std::int64_t large = 0;
    std::int32_t small = 0;
    if (arguments_.is_large) {
      std::memcpy(&large, at + n * sizeof(large), sizeof(large));
    } else {
      std::memcpy(&small, at + n * sizeof(small), sizeof(small));
      large = small;
    }
    return large < 0 ? 0 : static_cast<std::uint64_t>(large);
  }

  bool takes_no_part() const {
    if (arguments_.root == Arguments::kNone) return false;
    auto root = static_cast<std::int32_t>(slots_[arguments_.root]);
    if (is_fortran_) std::memcpy(&root, reinterpret_cast<const char*>(slots_[arguments_.root]), 4);
    return root < 0;
  }

  bool is_in_place() const {
    if (arguments_.buffer == Arguments::kNone) return false;
    const Slot buffer = slots_[arguments_.buffer];
    const auto& known = library_.constants.in_place;
    return buffer != 0 && std::find(std::begin(known), std::end(known), buffer) != std::end(known);
  }

  // Between communicators there is a count for each rank of the other one.
  std::uint64_t sum_of_counts(std::int8_t counts, std::uint32_t size) const {
    if (ask(library_.queries.comm_test_inter, arguments_.communicator) != 0) {
      size = ask(library_.queries.comm_remote_size, arguments_.communicator);
    }
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < size; ++i) sum += number(counts, i);
    return sum;
  }

  std::uint32_t ask(Slot (*query)(Slot, int*, int*), std::int8_t argument) const {
    int answer = 0;
    int error = 0;
    const Slot status = query(slots_[argument], &answer, &error);
    const bool failed = error != 0 || (!is_fortran_ && static_cast<std::int32_t>(status) != 0);
    return failed || answer < 0 ? 0 : static_cast<std::uint32_t>(answer);
  }

  const Arguments& arguments_;
  const LoadedMpi& library_;
  const Slot* slots_;
  const bool is_fortran_;
};

}  // namespace

Amount amount_of(const Arguments& arguments, Binding binding, const LoadedMpi& library,
                 const Slot* slots) {
  return AmountReader(arguments, binding, library, slots).read();
}

}  // namespace pyrometer::preload
