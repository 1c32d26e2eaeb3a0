// The code with what each line cost.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { param, setParams } from '../../app/address';
import { functionCosts, functionFault, isEstimated, isWithoutValues } from '../../app/function_values';
import { NothingRecorded } from '../../app/nothing';
import { metric, profileEntry, tables } from '../../app/store';
import { formatShare, shareOf, visible } from '../../model/format';
import { Bar } from '../../parts/bar';
import { saveCsv } from '../../parts/download';
import { Empty, Failure, Loading } from '../../parts/empty';
import { shortPlace } from '../../parts/place';
import { Segmented } from '../../parts/segmented';
import { VirtualTable, type Column } from '../../parts/virtual_table';
import { CodeView, type LineColumn } from './code_view';
import { linesAsCsv } from './csv';
import { allLines, foldLines, hotLines, measuredLines, nextHotLine } from './folding';
import { Highlighter, type Span } from './highlight';
import { makeLineColumns, makeMemoryColumns } from './line_columns';
import { heatOf, type FileValues } from './line_values';
import { LinePanel } from './line_panel';
import { Notice } from './notice';
import {
  areColumnsOfMemory,
  currentText,
  files,
  fileValues,
  hasMemoryColumns,
  lineKinds,
  lineMemory,
  measuredMemory,
  openedFolds,
  openFold,
  place,
  showFile,
  showLine,
  shownLine,
  sourceFault,
} from './state';
import './source.css';

const SLICE_MS = 12;
const NONE_OPENED: ReadonlySet<number> = new Set();

function FileList() {
  const rows = files.value;
  const whole = functionCosts.value?.whole ?? 0;
  const columns: Column[] = [
    {
      id: 'name',
      title: 'File',
      width: 'minmax(0, 1fr)',
      cell: (row) => (
        <span class={rows[row].isOwn ? 'own' : 'other'} title={rows[row].path}>
          {shortPlace(rows[row].name, 22)}
        </span>
      ),
    },
    {
      id: 'self',
      title: 'Self',
      hint: 'In this file itself, without what it calls',
      width: '92px',
      isNumber: true,
      cell: (row) => {
        const share = shareOf(rows[row].self, whole);
        return (
          <span class="file-heat">
            <Bar pieces={[{ id: 'heat2', share }]} />
            {formatShare(share)}
          </span>
        );
      },
    },
  ];
  return (
    <VirtualTable
      label="Files"
      columns={columns}
      rowCount={rows.length}
      rowKey={(row) => rows[row].file}
      selected={rows.findIndex((row) => row.file === place.value.file)}
      onSelect={(row) => showFile(rows[row].file)}
    />
  );
}

// Colours of the text; they come a little after the text itself.
function useSpans(lines: readonly string[] | null, isPython: boolean): (line: number) => readonly Span[] {
  const highlighter = useMemo(() => (lines && isPython ? new Highlighter(lines) : null), [lines, isPython]);
  const [, setDone] = useState<Highlighter | null>(null);
  useEffect(() => {
    if (!highlighter) return undefined;
    let timer = 0;
    const work = () => {
      if (highlighter.advance(performance.now() + SLICE_MS)) setDone(highlighter);
      else timer = window.setTimeout(work);
    };
    work();
    return () => clearTimeout(timer);
  }, [highlighter]);
  return (line) => {
    if (highlighter) return highlighter.spans(line);
    const text = lines?.[line - 1] ?? '';
    return text === '' ? [] : [{ text, style: '' }];
  };
}

function shownColumns(values: FileValues): LineColumn[] {
  const whole = functionCosts.value?.whole ?? 0;
  const columns = makeLineColumns(values, metric.value, whole, lineKinds.value);
  if (!areColumnsOfMemory.value) return columns;
  const ofMemory = makeMemoryColumns(lineMemory.value, measuredMemory.value);
  return metric.value?.unit === 'bytes' ? [...columns, ...ofMemory] : ofMemory;
}

function FileView(props: { file: number }) {
  const table = tables.value.value!;
  const text = currentText.value;
  const values = fileValues.value;
  const path = visible(table.texts.get(table.files.path[props.file]));
  const lines = text?.lines ?? null;
  const spans = useSpans(lines, /\.(py|pyw|pyi|pyx|pxd|pxi)$/.test(path) || !/\.\w+$/.test(path));
  const longest = useMemo(() => lines?.reduce((most, line) => Math.max(most, line.length), 0) ?? 0, [lines]);
  const isFolded = param('fold').value === '1';
  const opened = openedFolds.value.file === props.file ? openedFolds.value.lines : NONE_OPENED;
  const shown = useMemo(() => {
    if (!values) return [];
    if (!lines) return measuredLines(values.recorded);
    return isFolded ? foldLines(values.recorded, values.lines, opened) : allLines(values.lines);
  }, [values, lines, isFolded, opened]);
  if (!text || !values) return <Loading what={`Reading ${path}`} />;
  const heat = heatOf(values);
  const line = shownLine.value;
  const unit = metric.value?.unit ?? 'count';
  const columns = shownColumns(values);
  return (
    <div class="file">
      <div class="toolbar">
        <b class="path" title={path}>
          {path}
        </b>
        {isEstimated.value && <span class="badge">estimated from calls</span>}
        <span class="end">
          {hasMemoryColumns.value && (
            <Segmented
              label="Columns"
              value={areColumnsOfMemory.value ? 'memory' : 'time'}
              choices={[
                { value: 'time', label: metric.value?.unit === 'ns' ? 'Time' : 'Cost' },
                { value: 'memory', label: 'Memory' },
              ]}
              onChange={(value) => setParams({ columns: value })}
            />
          )}
          {lines !== null && (
            <button
              type="button"
              aria-pressed={isFolded}
              title="Hide lines where nothing was measured"
              onClick={() => setParams({ fold: isFolded ? null : '1' })}
            >
              Only measured lines
            </button>
          )}
          <button type="button" title="j" onClick={() => showLine(nextHotLine(hotLines(heat), line, 1))}>
            Next hot line
          </button>
          <button
            type="button"
            onClick={() =>
              saveCsv(linesAsCsv(values, lines, unit), `${profileEntry.value?.name ?? 'profile'}-lines.csv`)
            }
          >
            Save as CSV
          </button>
        </span>
      </div>
      <Notice source={text} values={values} />
      <CodeView
        label={`Lines of ${path}`}
        columns={columns}
        shown={shown}
        heat={heat}
        spans={spans}
        longest={longest}
        selected={line}
        onSelect={showLine}
        onOpenFold={openFold}
        onNextHot={(direction) => {
          const next = nextHotLine(hotLines(heat), line, direction);
          if (next > 0) showLine(next);
        }}
      />
    </div>
  );
}

export function SourceScreen() {
  const table = tables.value.value;
  const { file } = place.value;
  const fault = sourceFault.value || functionFault.value;
  if (isWithoutValues.value) return <NothingRecorded />;
  if (!table || (!functionCosts.value && !fault)) return <Loading what="Adding up lines" />;
  return (
    <div class="source">
      <h1 class="visually-hidden">Source</h1>
      {fault && <Failure message={fault} />}
      {file === null ? (
        <Empty title="No source files here">
          <p>
            Nothing that was recorded in this metric and scope has a source file. Remove a chip or the search
            above, or choose another metric.
          </p>
        </Empty>
      ) : (
        <div class="panes">
          <FileList />
          <FileView file={file} key={file} />
          <LinePanel file={file} line={shownLine.value} tables={table} />
        </div>
      )}
    </div>
  );
}
