import type { FileValues } from './line_values';

// Lines where something was measured.
export function linesAsCsv(
  values: FileValues,
  text: readonly string[] | null,
  unit: string,
): (string | number)[][] {
  const { exact } = values;
  const head = ['line', `self_${unit}`, `total_${unit}`, ...(exact ? ['hits', 'time_ns'] : []), 'code'];
  const rows: (string | number)[][] = [head];
  for (let line = 1; line <= values.lines; ++line) {
    if (values.recorded[line] !== 1) continue;
    rows.push([
      line,
      values.self[line],
      values.total[line],
      ...(exact ? [exact.hits[line], exact.time[line]] : []),
      text?.[line - 1] ?? '',
    ]);
  }
  return rows;
}
