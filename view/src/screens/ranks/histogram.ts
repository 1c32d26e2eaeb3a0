// How many ranks have about which value.

export interface Histogram {
  readonly from: number;
  readonly width: number; // of a bin, in the unit of the values; 0: all values are equal
  readonly counts: Uint32Array;
}

const MOST_BINS = 24;

export function makeHistogram(values: Float64Array): Histogram {
  if (values.length === 0) return { from: 0, width: 0, counts: new Uint32Array(0) };
  let least = values[0];
  let most = values[0];
  for (const value of values) {
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least === most) return { from: least, width: 0, counts: Uint32Array.of(values.length) };
  const bins = Math.max(2, Math.min(MOST_BINS, Math.ceil(Math.sqrt(values.length))));
  const width = (most - least) / bins;
  const counts = new Uint32Array(bins);
  for (const value of values) ++counts[Math.min(bins - 1, Math.floor((value - least) / width))];
  return { from: least, width, counts };
}
