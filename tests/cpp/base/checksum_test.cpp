#include <gtest/gtest.h>

#include "base/content_id.h"
#include "base/crc32c.h"

namespace pyrometer {
namespace {

// RFC 3720, appendix B.4, and the check value of the CRC catalogue.
TEST(Crc32c, MatchesPublishedValues) {
  EXPECT_EQ(crc32c(""), 0U);
  EXPECT_EQ(crc32c("123456789"), 0xe3069283U);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aaU);
  EXPECT_EQ(crc32c(std::string(32, '\xff')), 0x62a8ab43U);
}

TEST(Crc32c, ContinuesFromWhatCameBefore) {
  const std::string text = "a recording of some length that is not a multiple of eight";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(crc32c(text.substr(cut), crc32c(text.substr(0, cut))), crc32c(text)) << cut;
  }
}

TEST(ContentId, IsStableAndPrintsAs32Digits) {
  EXPECT_EQ(content_id("wave.py").to_string(), content_id(std::string("wave.py")).to_string());
  EXPECT_NE(content_id("wave.py"), content_id("wave.pz"));
  EXPECT_EQ(content_id("").to_string(),
            "99aa06d3014798d86001c324468d497f");  // XXH3's own test value
}

}  // namespace
}  // namespace pyrometer
