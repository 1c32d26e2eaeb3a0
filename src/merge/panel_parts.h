// What is written of one panel: blocks of values in their order, then what its processes have
// besides. The first member writes it into the file; the others send it there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "merge/analysis.h"
#include "merge/details.h"
#include "merge/holdings.h"
#include "merge/team.h"
#include "store/pyro_writer.h"

namespace pyrometer {

class PanelSink {
 public:
  PanelSink() = default;
  PanelSink(const PanelSink&) = delete;
  PanelSink& operator=(const PanelSink&) = delete;
  virtual ~PanelSink() = default;

  virtual Result<void> add(const EncodedBlock& block) = 0;
  virtual Result<void> add(ProcessId process, std::string_view events,
                           const ProcessDetails& details) = 0;
};

class WriterSink : public PanelSink {
 public:
  WriterSink(PyroWriter& writer, const MergedTables& tables) : writer_(writer), tables_(tables) {}
  Result<void> add(const EncodedBlock& block) override { return writer_.write_block(block); }
  Result<void> add(ProcessId process, std::string_view events,
                   const ProcessDetails& details) override;

 private:
  PyroWriter& writer_;
  const MergedTables& tables_;
};

// Keeps a panel until the first member is ready for it.
class MessageSink : public PanelSink {
 public:
  explicit MessageSink(const MergedTables& tables);
  Result<void> add(const EncodedBlock& block) override;
  Result<void> add(ProcessId process, std::string_view events,
                   const ProcessDetails& details) override;
  void send(Team& team);

 private:
  const MergedTables& tables_;
  RowMaps rows_;  // each stands for itself
  std::vector<std::string> messages_;
};

// Everything that another member sends of one panel; it is all received, also after an error.
Result<void> receive_panel(std::uint32_t from, const MergedTables& tables, Team& team,
                           PanelSink& sink);

// Uses up what is held of the panel's processes. Blocks are encoded by `workers` threads.
Result<void> make_panel(Holdings& holdings, const JobPlan& plan, std::uint32_t process_block,
                        MergeAnalyses analyses, unsigned workers, PanelSink& sink);

}  // namespace pyrometer
