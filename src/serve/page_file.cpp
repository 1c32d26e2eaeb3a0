#include "serve/page_file.h"

#include <algorithm>

#include "base/gzip_writer.h"
#include "base/json_writer.h"
#include "serve/base64.h"
#include "serve/columns.h"
#include "serve/embedded_page.h"
#include "serve/page_requests.h"

namespace pyrometer {
namespace {

constexpr std::string_view kOpening =
    R"(<script type="application/x-pyrometer" id="pyrometer-data">)";

// The answers as columns of one file, found by their requests.
std::string pack(const std::vector<PageAnswer>& answers) {
  ColumnsWriter out;
  JsonWriter meta;
  meta.begin_object().key("answers").begin_object();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const std::string column = "answer" + std::to_string(i);
    const bool is_json = answers[i].answer.type == kJsonType;
    meta.key(answers[i].request).begin_object().member("column", column);
    meta.member("type", is_json ? "json" : "columns").end_object();
    out.add_bytes(column, answers[i].answer.body);
  }
  meta.end_object().end_object();
  return gzip(out.take(meta.take()));
}

}  // namespace

Result<std::string> make_page(const ProfileVersions& profiles, const PageOptions& options) {
  PYROMETER_TRY(const std::vector<PageAnswer> answers,
                answers_for_page(profiles, options.without_sources));
  std::string page = plain_page();
  const std::size_t end = std::min(page.rfind("</body>"), page.size());
  page.insert(end, std::string(kOpening) + base64(pack(answers)) + "</script>\n");
  return page;
}

}  // namespace pyrometer
