// What is left out of the graph, as the address says.
export interface Thresholds {
  readonly node: number; // percent
  readonly edge: number;
  readonly most: number;
}

export const NODE_STEPS: readonly number[] = [0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20];
export const EDGE_STEPS: readonly number[] = [0, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];
export const MOST_STEPS: readonly number[] = [10, 20, 30, 50, 75, 100, 150, 200];

// gprof2dot's, and as many boxes as can be read and laid out at once.
export const DEFAULTS: Thresholds = { node: 0.5, edge: 0.1, most: 100 };

// One of the steps; the default where the text is none of them.
export function parseStep(text: string, steps: readonly number[], otherwise: number): number {
  const value = text === '' ? Number.NaN : Number(text);
  return steps.includes(value) ? value : otherwise;
}
