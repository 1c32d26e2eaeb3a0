#include "base/gzip_writer.h"

#include <zlib.h>

#include <limits>
#include <new>

#include "base/check.h"

namespace pyrometer {
namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, and gzip's header before it
constexpr int kMemoryLevel = 8;

}  // namespace

std::string gzip(std::string_view bytes, int level) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    throw std::bad_alloc();
  }
  std::string out(deflateBound(&stream, bytes.size()), '\0');
  PYROMETER_CHECK(out.size() <= std::numeric_limits<uInt>::max());
  // zlib does not change its input, whatever the type of the pointer says.
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast)
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  PYROMETER_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace pyrometer
