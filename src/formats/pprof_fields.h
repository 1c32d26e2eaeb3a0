// The numbers of the fields in pprof's protocol buffer (profile.proto of github.com/google/pprof),
// for reading and for writing it.
#pragma once

#include <protozero/types.hpp>

namespace pyrometer {

enum class ProfileTag : protozero::pbf_tag_type {
  kSampleType = 1,
  kSample = 2,
  kMapping = 3,
  kLocation = 4,
  kFunction = 5,
  kString = 6,
  kStart = 9,
  kDuration = 10,
  kPeriodType = 11,
  kComment = 13,
  kDefaultSampleType = 14,
};
enum class ValueTypeTag : protozero::pbf_tag_type { kType = 1, kUnit = 2 };
enum class SampleTag : protozero::pbf_tag_type { kLocation = 1, kValue = 2, kLabel = 3 };
enum class LabelTag : protozero::pbf_tag_type { kKey = 1, kText = 2, kNumber = 3 };
enum class MappingTag : protozero::pbf_tag_type {
  kId = 1,
  kFile = 5,
  kBuildId = 6,
  kHasFunctions = 7,
};
enum class LocationTag : protozero::pbf_tag_type { kId = 1, kMapping = 2, kAddress = 3, kLine = 4 };
enum class LineTag : protozero::pbf_tag_type { kFunction = 1, kLine = 2 };
enum class FunctionTag : protozero::pbf_tag_type { kId = 1, kName = 2, kFile = 4, kFirstLine = 5 };

}  // namespace pyrometer
