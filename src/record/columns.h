// The columns of each record that holds rows: one definition for reader, writer and dump.
#pragma once

#include <vector>

#include "record/records.h"
#include "record/rows.h"

namespace pyrometer {

std::vector<Column> line_table_columns();
std::vector<Column> node_columns();
std::vector<Column> sample_columns(std::int64_t time_scale,
                                   const std::vector<BatchMetric>& metrics);
std::vector<Column> checkpoint_columns(CheckpointSubject subject,
                                       const std::vector<BatchMetric>& metrics);
std::vector<Column> call_columns(std::int64_t time_scale);
std::vector<Column> allocation_columns(std::int64_t time_scale);
std::vector<Column> wait_columns(std::int64_t time_scale);
std::vector<Column> mpi_call_columns(std::int64_t time_scale);
std::vector<Column> live_columns();
std::vector<Column> region_columns(std::int64_t time_scale);
std::vector<Column> counter_columns(std::int64_t time_scale);

}  // namespace pyrometer
