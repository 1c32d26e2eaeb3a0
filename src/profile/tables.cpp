#include "profile/tables.h"

namespace pyrometer {

Profile tables_of(const Profile& profile) {
  Profile copy;
  copy.strings = profile.strings.clone();
  copy.metrics = profile.metrics;
  copy.modules = profile.modules;
  copy.functions = profile.functions;
  copy.processes = profile.processes;
  copy.threads = profile.threads;
  copy.paths_are_estimated = profile.paths_are_estimated;
  copy.is_sampled = profile.is_sampled;
  return copy;
}

Profile all_but_positions(const Profile& profile) {
  Profile copy = tables_of(profile);
  copy.process_totals = profile.process_totals;
  copy.line_values = profile.line_values;
  copy.flat_values = profile.flat_values;
  copy.regions = profile.regions;
  copy.counters = profile.counters;
  copy.messages = profile.messages;
  copy.sources = profile.sources;
  copy.notes = profile.notes;
  copy.leaves_out_regions = profile.leaves_out_regions;
  copy.leaves_out_counters = profile.leaves_out_counters;
  copy.leaves_out_samples = profile.leaves_out_samples;
  return copy;
}

}  // namespace pyrometer
