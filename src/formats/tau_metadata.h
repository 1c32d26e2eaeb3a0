// The facts of a run in the second line of a TAU file:
//     <metadata><attribute><name>Hostname</name><value>node7</value></attribute>...</metadata>
#pragma once

#include <string>
#include <string_view>

#include "formats/tau_profile.h"

namespace pyrometer {

// What can be understood; anything else is left out.
TauMetadata parse_tau_metadata(std::string_view line);

std::string write_tau_metadata(const TauMetadata& metadata);

}  // namespace pyrometer
