#include "cli/view_browser.h"

#include <fmt/format.h>

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

#include "os/host_name.h"
#include "os/tool_process.h"

namespace pyrometer {
namespace {

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The words of one entry of $BROWSER, with the address where it has %s, else at its end.
std::vector<std::string> browser_words(const std::string& entry, const std::string& url) {
  std::vector<std::string> words;
  bool has_place = false;
  std::istringstream text(entry);
  for (std::string word; text >> word;) {
    const std::size_t place = word.find("%s");
    if (place != std::string::npos) {
      word.replace(place, 2, url);
      has_place = true;
    }
    words.push_back(word);
  }
  if (!has_place && !words.empty()) words.push_back(url);
  return words;
}

}  // namespace

bool is_behind_ssh() { return !variable("SSH_CONNECTION").empty(); }

bool has_screen() {
  return !variable("BROWSER").empty() || !variable("DISPLAY").empty() ||
         !variable("WAYLAND_DISPLAY").empty();
}

bool open_browser(const std::string& url) {
  std::istringstream entries{std::string(variable("BROWSER"))};
  for (std::string entry; std::getline(entries, entry, ':');) {
    const std::vector<std::string> words = browser_words(entry, url);
    if (!words.empty() && start_tool(words)) return true;
  }
  return start_tool({"xdg-open", url}).has_value();
}

std::string ssh_line(std::uint16_t port) {
  return fmt::format("ssh -L {}:127.0.0.1:{} {}", port, port, host_name());
}

}  // namespace pyrometer
