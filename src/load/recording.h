// A recording becomes a Profile of one process.
#pragma once

#include "base/result.h"
#include "profile/detail.h"
#include "profile/profile.h"
#include "record/reader.h"

namespace pyrometer {

// Reads to the end or to the first damage; how it ended becomes the process's status.
Profile load_recording(RecordingReader& reader, Detail detail);

}  // namespace pyrometer
