#include "base/compression.h"

#include <zstd.h>

#include <new>

#include "base/check.h"

namespace pyrometer {

std::string compress(std::string_view bytes, int level) {
  return Compressor().compress(bytes, level);
}

std::string Compressor::compress(std::string_view bytes, int level) {
  if (!context_) context_.reset(ZSTD_createCCtx());
  if (!context_) throw std::bad_alloc();
  std::string compressed(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compressCCtx(context_.get(), compressed.data(), compressed.size(),
                                             bytes.data(), bytes.size(), level);
  PYROMETER_CHECK(ZSTD_isError(size) == 0);
  compressed.resize(size);
  return compressed;
}

void Compressor::Free::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

Result<std::string> decompress(std::string_view bytes, std::size_t expected_size) {
  // zstd's own header usually repeats the size: a lie is caught before the allocation.
  const unsigned long long stated = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  if (stated == ZSTD_CONTENTSIZE_ERROR ||
      (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != expected_size)) {
    return fail(ErrorCode::kCorrupt, "compressed data do not match their stated size");
  }
  std::string plain(expected_size, '\0');
  const std::size_t size = ZSTD_decompress(plain.data(), plain.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(size) != 0 || size != expected_size) {
    return fail(ErrorCode::kCorrupt, "compressed data do not match their stated size");
  }
  return plain;
}

}  // namespace pyrometer
