// This process, as the system knows it.
#pragma once

namespace pyrometer {

int own_pid();

}  // namespace pyrometer
