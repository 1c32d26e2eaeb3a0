#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>
#include <protozero/pbf_message.hpp>

#include "formats/pprof_fields.h"
#include "formats/pprof_file.h"

namespace pyrometer {
namespace {

using protozero::pbf_message;
using protozero::pbf_tag_type;
using protozero::pbf_wire_type;

// A field by its tag and how it is written: one that is written otherwise is skipped.
template <class Tag>
constexpr std::uint32_t number(Tag tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::varint);
}
template <class Tag>
constexpr std::uint32_t whole(Tag tag) {
  return protozero::tag_and_type(tag, pbf_wire_type::length_delimited);
}

constexpr std::size_t kMostRows = std::numeric_limits<std::uint32_t>::max();

std::string_view text_of(protozero::data_view view) { return {view.data(), view.size()}; }
protozero::data_view view_of(std::string_view text) { return {text.data(), text.size()}; }

template <class Rows>
std::uint32_t row_count(const Rows& rows) {
  return static_cast<std::uint32_t>(rows.size());
}

// The rows of a table by the ids of the file.
using Rows = boost::unordered_flat_map<std::uint64_t, std::uint32_t>;

// Text numbers, ids and rows stand in the same fields while a file is read: what is named may come
// later.
class PprofDecoder {
 public:
  Result<PprofFile> decode(std::string_view bytes) {
    pbf_message<ProfileTag> profile(view_of(bytes));
    while (profile.next()) {
      switch (profile.tag_and_type()) {
        case whole(ProfileTag::kSampleType): read_type(profile.get_message()); break;
        case whole(ProfileTag::kSample): read_sample(profile.get_message()); break;
        case whole(ProfileTag::kMapping): read_mapping(profile.get_message()); break;
        case whole(ProfileTag::kLocation): read_location(profile.get_message()); break;
        case whole(ProfileTag::kFunction): read_function(profile.get_message()); break;
        case whole(ProfileTag::kString): strings_.push_back(text_of(profile.get_view())); break;
        case number(ProfileTag::kStart): file_.start = profile.get_int64(); break;
        case number(ProfileTag::kDuration): file_.duration = profile.get_int64(); break;
        default: profile.skip();
      }
    }
    PYROMETER_TRY_VOID(resolve());
    return std::move(file_);
  }

 private:
  struct TextPair {
    std::int64_t first = 0;
    std::int64_t second = 0;
  };

  void read_type(pbf_message<ValueTypeTag> type) {
    TextPair texts;
    while (type.next()) {
      switch (type.tag_and_type()) {
        case number(ValueTypeTag::kType): texts.first = type.get_int64(); break;
        case number(ValueTypeTag::kUnit): texts.second = type.get_int64(); break;
        default: type.skip();
      }
    }
    types_.push_back(texts);
  }

  void read_sample(pbf_message<SampleTag> sample) {
    PprofFile::Sample row{.first_location = row_count(stacks_),
                          .first_value = row_count(file_.values),
                          .first_label = row_count(file_.labels)};
    while (sample.next()) {
      switch (sample.tag_and_type()) {
        // Numbers come packed or one by one.
        case whole(SampleTag::kLocation):
          for (const std::uint64_t id : sample.get_packed_uint64()) stacks_.push_back(id);
          break;
        case number(SampleTag::kLocation): stacks_.push_back(sample.get_uint64()); break;
        case whole(SampleTag::kValue):
          for (const std::int64_t value : sample.get_packed_int64()) file_.values.push_back(value);
          break;
        case number(SampleTag::kValue): file_.values.push_back(sample.get_int64()); break;
        case whole(SampleTag::kLabel): read_label(sample.get_message()); break;
        default: sample.skip();
      }
    }
    row.location_count = row_count(stacks_) - row.first_location;
    row.label_count = row_count(file_.labels) - row.first_label;
    file_.samples.push_back(row);
    value_counts_.push_back(row_count(file_.values) - row.first_value);
  }

  void read_label(pbf_message<LabelTag> label) {
    TextPair texts;
    PprofFile::Label row;
    while (label.next()) {
      switch (label.tag_and_type()) {
        case number(LabelTag::kKey): texts.first = label.get_int64(); break;
        case number(LabelTag::kText): texts.second = label.get_int64(); break;
        case number(LabelTag::kNumber): row.number = label.get_int64(); break;
        default: label.skip();
      }
    }
    label_texts_.push_back(texts);
    file_.labels.push_back(row);
  }

  void read_mapping(pbf_message<MappingTag> mapping) {
    TextPair texts;
    std::uint64_t id = 0;
    while (mapping.next()) {
      switch (mapping.tag_and_type()) {
        case number(MappingTag::kId): id = mapping.get_uint64(); break;
        case number(MappingTag::kFile): texts.first = mapping.get_int64(); break;
        case number(MappingTag::kBuildId): texts.second = mapping.get_int64(); break;
        default: mapping.skip();
      }
    }
    mapping_rows_.try_emplace(id, row_count(mapping_texts_));
    mapping_texts_.push_back(texts);
  }

  void read_location(pbf_message<LocationTag> location) {
    PprofFile::Location row{.first_line = row_count(file_.lines)};
    std::uint64_t id = 0;
    std::uint64_t mapping = 0;
    while (location.next()) {
      switch (location.tag_and_type()) {
        case number(LocationTag::kId): id = location.get_uint64(); break;
        case number(LocationTag::kMapping): mapping = location.get_uint64(); break;
        case number(LocationTag::kAddress): row.address = location.get_uint64(); break;
        case whole(LocationTag::kLine): read_line(location.get_message()); break;
        default: location.skip();
      }
    }
    row.line_count = row_count(file_.lines) - row.first_line;
    location_rows_.try_emplace(id, row_count(file_.locations));
    file_.locations.push_back(row);
    location_mappings_.push_back(mapping);
  }

  void read_line(pbf_message<LineTag> line) {
    PprofFile::Line row;
    std::uint64_t function = 0;
    while (line.next()) {
      switch (line.tag_and_type()) {
        case number(LineTag::kFunction): function = line.get_uint64(); break;
        case number(LineTag::kLine): row.line = line.get_int64(); break;
        default: line.skip();
      }
    }
    line_functions_.push_back(function);
    file_.lines.push_back(row);
  }

  void read_function(pbf_message<FunctionTag> function) {
    TextPair texts;
    PprofFile::Function row;
    std::uint64_t id = 0;
    while (function.next()) {
      switch (function.tag_and_type()) {
        case number(FunctionTag::kId): id = function.get_uint64(); break;
        case number(FunctionTag::kName): texts.first = function.get_int64(); break;
        case number(FunctionTag::kFile): texts.second = function.get_int64(); break;
        case number(FunctionTag::kFirstLine): row.first_line = function.get_int64(); break;
        default: function.skip();
      }
    }
    function_rows_.try_emplace(id, row_count(file_.functions));
    function_texts_.push_back(texts);
    file_.functions.push_back(row);
  }

  Result<std::string_view> text(std::int64_t row) const {
    if (row >= 0 && static_cast<std::uint64_t>(row) < strings_.size()) {
      return strings_[static_cast<std::size_t>(row)];
    }
    return fail(ErrorCode::kCorrupt, "it names the text {} of {}", row, strings_.size());
  }

  static Result<std::uint32_t> row(const Rows& rows, std::uint64_t id, std::string_view what) {
    if (const auto found = rows.find(id); found != rows.end()) return found->second;
    return fail(ErrorCode::kCorrupt, "it names the {} {}, which it does not have", what, id);
  }

  Result<void> resolve() {
    if (types_.empty()) {
      return fail(ErrorCode::kCorrupt, "it does not say what its samples count (sample_type)");
    }
    PYROMETER_TRY_VOID(resolve_texts());
    for (std::size_t i = 0; i < location_mappings_.size(); ++i) {
      if (location_mappings_[i] == 0) continue;  // none
      PYROMETER_TRY(file_.locations[i].mapping,
                    row(mapping_rows_, location_mappings_[i], "mapping"));
    }
    for (std::size_t i = 0; i < line_functions_.size(); ++i) {
      PYROMETER_TRY(file_.lines[i].function, row(function_rows_, line_functions_[i], "function"));
    }
    file_.stacks.reserve(stacks_.size());
    for (const std::uint64_t id : stacks_) {
      PYROMETER_TRY(const std::uint32_t location, row(location_rows_, id, "location"));
      file_.stacks.push_back(location);
    }
    for (std::size_t i = 0; i < value_counts_.size(); ++i) {
      if (value_counts_[i] == types_.size()) continue;
      return fail(ErrorCode::kCorrupt, "its sample {} has {} values where there are {} types",
                  i + 1, value_counts_[i], types_.size());
    }
    return {};
  }

  Result<void> resolve_texts() {
    for (const TextPair& texts : types_) {
      PprofFile::ValueType type;
      PYROMETER_TRY(type.type, text(texts.first));
      PYROMETER_TRY(type.unit, text(texts.second));
      file_.types.push_back(type);
    }
    for (const TextPair& texts : mapping_texts_) {
      PprofFile::Mapping mapping;
      PYROMETER_TRY(mapping.file, text(texts.first));
      PYROMETER_TRY(mapping.build_id, text(texts.second));
      file_.mappings.push_back(mapping);
    }
    for (std::size_t i = 0; i < function_texts_.size(); ++i) {
      PYROMETER_TRY(file_.functions[i].name, text(function_texts_[i].first));
      PYROMETER_TRY(file_.functions[i].file, text(function_texts_[i].second));
    }
    for (std::size_t i = 0; i < label_texts_.size(); ++i) {
      PYROMETER_TRY(file_.labels[i].key, text(label_texts_[i].first));
      PYROMETER_TRY(file_.labels[i].text, text(label_texts_[i].second));
    }
    return {};
  }

  PprofFile file_;
  std::vector<std::string_view> strings_;
  std::vector<TextPair> types_, mapping_texts_, function_texts_, label_texts_;
  std::vector<std::uint64_t> stacks_;             // ids of locations
  std::vector<std::uint64_t> location_mappings_;  // ids, by location
  std::vector<std::uint64_t> line_functions_;     // ids, by line
  std::vector<std::uint32_t> value_counts_;       // by sample
  Rows mapping_rows_, location_rows_, function_rows_;
};

// Whether a submessage is the type of a sample: one or two text numbers and nothing else.
bool is_value_type(std::string_view bytes) {
  pbf_message<ValueTypeTag> type(view_of(bytes));
  bool has_type = false;
  while (type.next()) {
    const bool is_type = type.tag_and_type() == number(ValueTypeTag::kType);
    if (!is_type && type.tag_and_type() != number(ValueTypeTag::kUnit)) return false;
    has_type |= is_type;
    type.skip();
  }
  return has_type;
}

}  // namespace

Result<PprofFile> read_pprof(std::string_view bytes) {
  if (bytes.size() > kMostRows) {
    return fail(ErrorCode::kTooLarge, "it has {} bytes, more than a pprof file can have",
                bytes.size());
  }
  // protozero throws where a message is cut, or a field is not what its tag says.
  try {
    return PprofDecoder().decode(bytes);
  } catch (const protozero::exception& error) {
    return fail(ErrorCode::kCorrupt, "it is no whole pprof file ({}); copy it again", error.what());
  }
}

bool looks_like_pprof(std::string_view prefix) {
  constexpr pbf_tag_type kMostTags = 16;
  try {
    pbf_message<ProfileTag> profile(view_of(prefix));
    while (profile.next()) {
      if (profile.tag_and_type() == whole(ProfileTag::kSampleType)) {
        return is_value_type(text_of(profile.get_view()));
      }
      // Go begins with the time or with what a period is.
      const bool may_be_first = profile.wire_type() == pbf_wire_type::varint ||
                                profile.tag_and_type() == whole(ProfileTag::kPeriodType);
      if (!may_be_first || static_cast<pbf_tag_type>(profile.tag()) >= kMostTags) return false;
      profile.skip();
    }
  } catch (const protozero::exception&) {
    return false;
  }
  return false;
}

}  // namespace pyrometer
