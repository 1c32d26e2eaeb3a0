// Each distinct text once; ids are stable for the table's life.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <deque>
#include <string>
#include <string_view>

#include "base/id.h"

namespace pyrometer {

struct StringTag;
using StringId = Id<StringTag>;

class StringTable {
 public:
  StringTable() = default;
  ~StringTable() = default;
  // Views of the old table's texts would be copied, not its texts.
  StringTable(const StringTable&) = delete;
  StringTable& operator=(const StringTable&) = delete;
  StringTable(StringTable&&) = default;
  StringTable& operator=(StringTable&&) = default;

  // The same texts under the same ids.
  StringTable clone() const {
    StringTable copy;
    for (const std::string& text : texts_) copy.intern(text);
    return copy;
  }

  StringId intern(std::string_view text) {
    if (const auto found = rows_.find(text); found != rows_.end()) return found->second;
    const StringId id = StringId::from_index(texts_.size());
    rows_.emplace(texts_.emplace_back(text), id);  // a deque never moves its elements
    return id;
  }
  std::string_view operator[](StringId id) const { return texts_[id.row()]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::deque<std::string> texts_;
  boost::unordered_flat_map<std::string_view, StringId> rows_;
};

}  // namespace pyrometer
