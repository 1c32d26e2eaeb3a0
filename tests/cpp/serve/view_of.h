// Profiles as the answers get them.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "serve/answers.h"
#include "serve/read_columns.h"

namespace pyrometer::testing {

inline ProfileVersion view_of(Profile profile, const std::string& name = "test.run") {
  return {.profile = std::make_shared<const ViewedProfile>(
              ProfileTitle{.name = name}, std::make_shared<const Profile>(std::move(profile)))};
}

// Asks and expects an answer.
inline Answer ask(const ProfileVersions& profiles, std::string_view target, bool packed = false) {
  auto request = parse_request(target);
  EXPECT_TRUE(request) << target;
  request->is_packed = packed;
  auto answered = answer(profiles, *request);
  EXPECT_TRUE(answered) << target << ": " << (answered ? "" : answered.error().message);
  return answered ? *std::move(answered) : Answer{};
}

inline nlohmann::json ask_json(const ProfileVersions& profiles, std::string_view target) {
  const Answer answered = ask(profiles, target);
  EXPECT_EQ(answered.type, kJsonType);
  return nlohmann::json::parse(answered.body);
}

inline ReadColumns ask_columns(const ProfileVersions& profiles, std::string_view target) {
  const Answer answered = ask(profiles, target);
  EXPECT_EQ(answered.type, kBinaryType);
  return ReadColumns(answered.body);
}

// Asks and expects a refusal; gives its status and sentence.
inline std::pair<int, std::string> ask_in_vain(const ProfileVersions& profiles,
                                               std::string_view target) {
  const auto request = parse_request(target);
  if (!request) return {status_of(request.error().code), request.error().message};
  const auto answered = answer(profiles, *request);
  EXPECT_FALSE(answered) << target;
  if (answered) return {200, ""};
  return {status_of(answered.error().code), answered.error().message};
}

}  // namespace pyrometer::testing
