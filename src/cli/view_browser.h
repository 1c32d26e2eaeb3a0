// Where the user sees the view: in a browser here, or through ssh in one elsewhere.
#pragma once

#include <cstdint>
#include <string>

namespace pyrometer {

// Whether we were reached through ssh, so that the browser is on another machine.
bool is_behind_ssh();

// Whether a browser would find a screen here.
bool has_screen();

// By $BROWSER, else as the desktop has it. False when there is none to start.
bool open_browser(const std::string& url);

// "ssh -L 8080:127.0.0.1:8080 node07"
std::string ssh_line(std::uint16_t port);

}  // namespace pyrometer
