#include "base/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/check.h"

namespace pyrometer {
namespace {

// zlib's window of 32 KiB, and gzip's header rather than zlib's own.
constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr std::size_t kFirstSize = std::size_t{1} << 16;
// zlib counts in 32 bits.
constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max();

class Inflater {
 public:
  Inflater() { PYROMETER_CHECK(inflateInit2(&stream_, kGzipWindow) == Z_OK); }
  ~Inflater() { inflateEnd(&stream_); }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  z_stream* operator->() { return &stream_; }
  int run() { return inflate(&stream_, Z_NO_FLUSH); }
  void begin_member() { inflateReset(&stream_); }

 private:
  z_stream stream_{};
};

// zlib's interface predates const.
Bytef* bytes_of(const char* text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text));  // NOLINT(*-const-cast)
}

}  // namespace

bool looks_like_gzip(std::string_view prefix) {
  constexpr std::string_view kMagicAndDeflate("\x1f\x8b\x08");
  return prefix.starts_with(kMagicAndDeflate);
}

Result<std::string> inflate_gzip(std::string_view bytes, std::size_t limit) {
  std::string plain;
  std::size_t used = 0;
  Inflater inflater;
  while (true) {
    if (used == plain.size()) {
      if (used > limit) {
        return fail(ErrorCode::kTooLarge,
                    "it inflates to more than the {} bytes that are read at most", limit);
      }
      // One byte more than the limit, to see whether there is one.
      plain.resize(std::min(std::max(kFirstSize, 2 * used), limit + 1));
    }
    const std::size_t room = std::min(plain.size() - used, kMostAtOnce);
    const std::size_t input = std::min(bytes.size(), kMostAtOnce);
    inflater->next_in = bytes_of(bytes.data());
    inflater->avail_in = static_cast<uInt>(input);
    inflater->next_out = bytes_of(plain.data() + used);
    inflater->avail_out = static_cast<uInt>(room);
    const int status = inflater.run();
    bytes.remove_prefix(input - inflater->avail_in);
    used += room - inflater->avail_out;
    if (status == Z_STREAM_END) {
      // What follows the last member and is none itself is padding, as for gzip.
      if (!looks_like_gzip(bytes)) break;
      inflater.begin_member();
    } else if (status == Z_BUF_ERROR || (status == Z_OK && bytes.empty() && used < plain.size())) {
      return fail(ErrorCode::kCorrupt, "its gzip data are cut; copy the file again");
    } else if (status != Z_OK) {
      return fail(ErrorCode::kCorrupt, "its gzip data are damaged; copy the file again");
    }
  }
  if (used > limit) {
    return fail(ErrorCode::kTooLarge, "it inflates to more than the {} bytes that are read at most",
                limit);
  }
  plain.resize(used);
  return plain;
}

}  // namespace pyrometer
