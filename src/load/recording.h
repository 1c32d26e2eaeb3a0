// A recording becomes a Profile of one process.
#pragma once

#include "base/progress.h"
#include "profile/detail.h"
#include "profile/profile.h"
#include "record/reader.h"

namespace pyrometer {

// Reads to the end or to the first damage; how it ended becomes the process's status.
// `file_size` is for the progress only.
Profile load_recording(RecordingReader& reader, Detail detail, const Progress& progress = {},
                       std::uint64_t file_size = 0);

}  // namespace pyrometer
