// What each function cost, in the metric and scope of now. Where call paths are only estimated, what was
// recorded by function and by call is taken instead, as long as nothing asks for paths.
import { computed } from '@preact/signals';
import { makeFunctionRows, type FunctionColumns } from '../model/functions';
import { functionsOfLines, type LineMetric } from '../model/line_costs';
import { lazyResource } from './lazy_resource';
import { isScoped, scope } from './scope';
import { isTransformed, shownTree } from './shown_tree';
import { metric, metrics, pathFilter, profileEntry, profileId, source, summary } from './store';

export interface FunctionCosts extends FunctionColumns {
  readonly calls: Float64Array | null; // null: not counted
  readonly whole: number;
}

// Who called whom was recorded, whole call paths were not.
const hasEdges = computed(() => summary.value.value?.has.edges ?? false);

export const usesRecorded = computed(() => hasEdges.value && !isTransformed.value && pathFilter.value === '');

// What is shown rests on guessed paths.
export const isEstimated = computed(() => (summary.value.value?.estimated ?? false) && !usesRecorded.value);

// Recorded calls are of the whole run, whatever the scope.
export const areCallsUnscoped = computed(() => usesRecorded.value && isScoped.value);

const areCallsCounted = computed(() => metrics.value.some((each) => each.name === 'calls' && each.total > 0));

const metricName = computed(() => metric.value?.name ?? null);

export const recordedFunctions = lazyResource(() => {
  const name = metricName.value;
  if (!source.value || !profileEntry.value || name === null) return null;
  if (!usesRecorded.value && !areCallsCounted.value) return null;
  return source.value.functions(profileId.value, name, scope.value);
});

export const recordedEdges = lazyResource(() => {
  const name = metricName.value;
  if (!source.value || !profileEntry.value || name === null || !usesRecorded.value) return null;
  return source.value.edges(profileId.value, name);
});

// Hits and times of lines that were measured exactly.
export const recordedLines = lazyResource(() => {
  if (!source.value || !profileEntry.value || !summary.value.value?.has.lines) return null;
  return source.value.lines(profileId.value, scope.value);
});

// The profile knows lines and nothing else; then this says what of them is shown.
export const onlyLines = computed<LineMetric | null>(() => {
  const has = summary.value.value?.has;
  if (!has || !has.lines || has.paths || has.edges) return null;
  return metricName.value === 'hits' ? 'hits' : 'time';
});

export const functionFault = computed(
  () => recordedFunctions.error.value || recordedEdges.error.value || recordedLines.error.value,
);

// Nothing to wait for: the profile has no values at all.
export const isWithoutValues = computed(() => summary.value.value !== null && metric.value === null);

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export const functionCosts = computed<FunctionCosts | null>(() => {
  const exact = recordedFunctions.value.value;
  if (usesRecorded.value) {
    if (!exact) return null;
    return {
      function: exact.function,
      self: exact.self,
      total: exact.total,
      calls: exact.calls.some((count) => count > 0) ? exact.calls : null,
      whole: sumOf(exact.self),
    };
  }
  if (onlyLines.value !== null) {
    const lines = recordedLines.value.value;
    if (!lines) return null;
    const rows = functionsOfLines(lines, onlyLines.value);
    return { ...rows, calls: null, whole: sumOf(rows.self) };
  }
  const tree = shownTree.value;
  if (!tree) return null;
  const rows = makeFunctionRows(tree);
  return { ...rows, calls: exact ? callsOf(rows.function, exact) : null, whole: tree.whole };
});

interface Counts {
  readonly function: Uint32Array;
  readonly calls: Float64Array;
}

// Calls are known of everything in the scope, not of some paths through it.
function callsOf(rows: Uint32Array, counted: Counts): Float64Array | null {
  if (pathFilter.value !== '') return null;
  const calls = new Map<number, number>();
  for (let i = 0; i < counted.function.length; ++i) calls.set(counted.function[i], counted.calls[i]);
  return Float64Array.from(rows, (row) => calls.get(row) ?? 0);
}
