#include "base/json_writer.h"
#include "serve/answers.h"

#ifndef PYROMETER_VERSION
#error "the build defines PYROMETER_VERSION"
#endif

namespace pyrometer {

Result<Answer> answer_profiles(const ProfileVersions& profiles, const Request&) {
  JsonWriter json;
  json.begin_object().member("schema_version", 1).member("version", PYROMETER_VERSION);
  json.key("profiles").begin_array();
  for (std::size_t i = 0; i < profiles.size(); ++i) {
    json.begin_object().member("id", i).member("name", profiles[i].profile->title().name);
    json.member("live", profiles[i].is_live).member("generation", profiles[i].generation);
    json.end_object();
  }
  json.end_array().end_object();
  return Answer{json.take()};
}

}  // namespace pyrometer
