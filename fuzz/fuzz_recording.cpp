// The recording reader and what loads from it: any bytes give a profile or a clean error.
// Checksums would stop the fuzzer at the door, so the input is taken as payloads and framed
// properly; a leading byte chooses between that and the bytes as they are.
#include <cstdint>
#include <string_view>

#include "base/byte_reader.h"
#include "load/recording.h"
#include "record/writer.h"

namespace {

using namespace pyrometer;

void load(std::string_view bytes) {
  auto reader = RecordingReader::from_bytes(bytes);
  if (!reader) return;
  const Profile profile = load_recording(*reader, Detail::kEverything);
  for (const SampleTrack& track : profile.samples) {
    track.for_each([&](std::int64_t, NodeId node, std::span<const std::int64_t>) {
      if (node.row() >= profile.nodes.size()) __builtin_trap();
    });
  }
  for (const LiveTrack& track : profile.live_tracks) {
    if (track.node.row() >= profile.nodes.size()) __builtin_trap();
    if (track.thread.row() >= profile.threads.size()) __builtin_trap();
  }
  for (std::size_t i = 0; i < profile.nodes.size(); ++i) {
    const NodeId parent = profile.nodes[i].parent;
    if (!parent.is_none() && parent.row() >= i) __builtin_trap();
  }
}

std::string framed(std::string_view input) {
  RecordingWriter writer({.pid = 1, .host = "fuzz"});
  ByteReader in(input);
  while (in.remaining() > 0) {
    const std::uint8_t type = in.u8();
    const std::uint8_t size = in.u8();
    writer.frame(type, in.bytes(std::min<std::size_t>(size, in.remaining())));
  }
  return writer.take_pending();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  load(data[0] == 0 ? std::string(input) : framed(input));
  return 0;
}
