// One sentence for the person who waits: sent to `pyrometer run`, which prints it when the
// program has ended. The program's own streams stay untouched. Lost when nobody listens.
#pragma once

#include <string>
#include <string_view>

namespace pyrometer {

// `name` is that of the abstract socket `pyrometer run` listens on; empty: nobody does.
void send_notice(const std::string& name, std::string_view sentence);

}  // namespace pyrometer
