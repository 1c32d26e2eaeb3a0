// Which file and line is shown, and what is known of it.
import { computed, signal } from '@preact/signals';
import { param, setParams } from '../../app/address';
import { functionCosts, recordedLines, usesRecorded } from '../../app/function_values';
import { askForKinds, leftNodes, loadKinds, stackedKinds, type KindSums } from '../../app/kind_bars';
import { lazyResource } from '../../app/lazy_resource';
import { scope } from '../../app/scope';
import {
  metric,
  metrics,
  profileEntry,
  profileId,
  searchMatches,
  selectedFunction,
  source,
  tables,
  tree,
} from '../../app/store';
import { NONE } from '../../data/types';
import { splitLines } from './highlight';
import { functionsAt } from './line_calls';
import { fileRows, type FileRow } from './files';
import { hottestLine } from './folding';
import {
  heatOf,
  linesOfNodes,
  makeFileValues,
  makeValuesByFunction,
  memoryOfLines,
  metricByLine,
} from './line_values';

export const files = computed<FileRow[]>(() => {
  const costs = functionCosts.value;
  const table = tables.value.value;
  return costs && table ? fileRows(costs, table, searchMatches.value) : [];
});

function numberOf(text: string): number | null {
  return /^\d+$/.test(text) ? Number(text) : null;
}

interface Place {
  readonly file: number | null;
  readonly line: number; // 0: none in particular
}

// The selected function leads, so that every screen can show a function's source by selecting it. The line
// counts where it belongs to that function.
export const place = computed<Place>(() => {
  const table = tables.value.value;
  if (!table) return { file: null, line: 0 };
  const line = numberOf(param('line').value) ?? 0;
  const fn = selectedFunction.value;
  if (fn !== null && table.functions.file[fn] !== NONE) {
    const file = table.functions.file[fn];
    const isInside =
      line > 0 && tree.value !== null && functionsAt(tree.value, table, file, line).includes(fn);
    return { file, line: isInside ? line : table.functions.line[fn] };
  }
  const file = numberOf(param('file').value);
  if (file !== null && file < table.files.count) return { file, line };
  return { file: files.value.find((row) => row.isOwn)?.file ?? files.value[0]?.file ?? null, line: 0 };
});

export function showFile(file: number): void {
  setParams({ file, line: null, function: null });
}

export function showLine(line: number): void {
  const { file } = place.value;
  const table = tables.value.value;
  if (file === null || !table || !tree.value) return;
  setParams({ file, line, function: functionsAt(tree.value, table, file, line)[0] ?? null });
}

const file = computed(() => place.value.file);

export const text = lazyResource(() => {
  const wanted = file.value;
  if (!source.value || !profileEntry.value || wanted === null) return null;
  return source.value.source(profileId.value, wanted).then((found) => ({
    file: wanted,
    ...found,
    lines: found.text === null ? null : splitLines(found.text),
  }));
});

// The text of the file of now; null while it is on its way.
export const currentText = computed(() => (text.value.value?.file === file.value ? text.value.value : null));

export const fileValues = computed(() => {
  const table = tables.value.value;
  if (!table || !tree.value || file.value === null || !currentText.value) return null;
  const lines = currentText.value.lines?.length ?? 0;
  if (usesRecorded.value) {
    return functionCosts.value && makeValuesByFunction(functionCosts.value, table, file.value, lines);
  }
  return makeFileValues(tree.value, table, file.value, lines, recordedLines.value.value);
});

export const areLinesKnown = computed(() => fileValues.value !== null && !fileValues.value.isByFunction);

// Where nothing was asked for, the hottest line.
export const shownLine = computed(
  () => place.value.line || (fileValues.value ? hottestLine(heatOf(fileValues.value)) : 0),
);

const nodeLines = computed(() => {
  const table = tables.value.value;
  return table && tree.value && file.value !== null ? linesOfNodes(tree.value, table, file.value) : null;
});

const loadedKinds = lazyResource(() => {
  const ask = askForKinds();
  const known = fileValues.value;
  const lines = nodeLines.value;
  const kinds = stackedKinds.value;
  if (!ask || !known || !lines || kinds.length === 0) return null;
  return loadKinds(ask, kinds, lines, leftNodes.value, known.lines + 1).then((found) => ({
    of: known,
    found,
  }));
});

// Of the file of now, not of the one before.
export const lineKinds = computed<readonly KindSums[]>(() => {
  const loaded = loadedKinds.value.value;
  return loaded && loaded.of === fileValues.value ? loaded.found : [];
});

// Which columns stand beside the code; both at once would leave no room for it.
export const hasMemoryColumns = computed(() => lineMemory.value.length > 0 || measuredMemory.value.size > 0);
export const areColumnsOfMemory = computed(() => {
  if (!hasMemoryColumns.value) return false;
  const wanted = param('columns').value;
  return wanted === 'memory' || (wanted !== 'time' && metric.value?.unit !== 'ns');
});

// What of memory stands beside lines, as far as it was recorded and is not the metric that is shown anyway.
const BY_LINE = ['peak', 'live', 'allocated'];
const OF_LINES = ['memory', 'increment', 'line-peak', 'line-temporary', 'mpi-bytes'];
const memoryMetrics = computed(() => {
  const found = metrics.value.filter(
    (each) =>
      each.unit === 'bytes' &&
      each.total > 0 &&
      each.name !== metric.value?.name &&
      !OF_LINES.includes(each.name),
  );
  const known = found.filter((each) => BY_LINE.includes(each.name));
  known.sort((a, b) => BY_LINE.indexOf(a.name) - BY_LINE.indexOf(b.name));
  return known.length > 0 ? known : found.slice(0, 2);
});

const memoryValues = lazyResource(() => {
  const names = memoryMetrics.value.map((each) => each.name);
  if (!source.value || !profileEntry.value || names.length === 0) return null;
  return source.value.values(profileId.value, names, scope.value);
});

export const lineMemory = computed(() => {
  const known = fileValues.value;
  const values = memoryValues.value.value;
  const lines = nodeLines.value;
  if (!known || !values || !lines) return [];
  return memoryMetrics.value.flatMap((each) => {
    const found = values.get(each.name);
    if (!found) return [];
    const byLine = metricByLine(each, found, lines, known.lines);
    return byLine.some((value) => value > 0) ? [{ metric: each, byLine }] : [];
  });
});

// Of lines that were measured one by one.
export const measuredMemory = computed<ReturnType<typeof memoryOfLines>>(() => {
  const known = fileValues.value;
  const table = tables.value.value;
  const exact = recordedLines.value.value;
  if (!known || !table || !exact || file.value === null) return new Map();
  return memoryOfLines(exact, table, file.value, known.lines);
});

export const sourceFault = computed(() => text.error.value);

// Folds that were opened, of the file of now.
export const openedFolds = signal<{ file: number | null; lines: ReadonlySet<number> }>({
  file: null,
  lines: new Set(),
});

export function openFold(line: number): void {
  const before = openedFolds.value.file === file.value ? openedFolds.value.lines : [];
  openedFolds.value = { file: file.value, lines: new Set([...before, line]) };
}
