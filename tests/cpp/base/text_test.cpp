#include <gtest/gtest.h>

#include "base/json_writer.h"
#include "base/printable.h"

namespace pyrometer {
namespace {

TEST(Printable, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(printable("solve (wave.py:52)"), "solve (wave.py:52)");
  EXPECT_EQ(printable("größe → 數"), "größe → 數");
}

TEST(Printable, NeutralisesWhatMovesTheCursorOrTheText) {
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable("a\nb\rc\td"), "a\\x0ab\\x0dc\\x09d");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\x9b31m");  // C1: a one-byte CSI
  EXPECT_EQ(printable("evil\xe2\x80\xae"
                      "txt"),
            "evil\\u202etxt");                        // right-to-left override
  EXPECT_EQ(printable("\xe2\x81\xa6x"), "\\u2066x");  // isolate
}

TEST(Printable, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a lone surrogate
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // an overlong '/'
  EXPECT_EQ(printable("cut \xe2\x82"), "cut \\xe2\\x82");
}

TEST(Printable, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("größe"), 5U);
  EXPECT_EQ(display_width("數學"), 4U);
  EXPECT_EQ(shorten_front("a long name", 5), "…name");
  EXPECT_EQ(shorten_front("short", 5), "short");
}

TEST(Json, CommasEscapesAndNesting) {
  JsonWriter json;
  json.begin_object().member("text", "a\"b\\c\n\x01").member("number", -3).member("flag", true);
  json.key("list").begin_array().value(1).value(2.5).null().begin_object().end_object().end_array();
  json.end_object();
  EXPECT_EQ(json.take(),
            "{\"text\":\"a\\\"b\\\\c\\n\\u0001\",\"number\":-3,\"flag\":true,"
            "\"list\":[1,2.5,null,{}]}\n");
}

TEST(Json, BadUtf8BecomesAReplacementCharacter) {
  JsonWriter json;
  json.begin_array().value("a\xff").end_array();
  EXPECT_EQ(json.take(), "[\"a\xef\xbf\xbd\"]\n");
}

TEST(Json, NumbersThatJsonDoesNotKnowBecomeNull) {
  JsonWriter json;
  json.begin_array().value(std::numeric_limits<double>::quiet_NaN()).end_array();
  EXPECT_EQ(json.take(), "[null]\n");
}

TEST(Printable, ShortensAtEitherEnd) {
  EXPECT_EQ(shorten_front("abcdef", 4), "…def");
  EXPECT_EQ(shorten_back("abcdef", 4), "abc…");
  EXPECT_EQ(shorten_back("abcd", 4), "abcd");
  EXPECT_EQ(shorten_back("數學數", 5), "數學…");
}

}  // namespace
}  // namespace pyrometer
