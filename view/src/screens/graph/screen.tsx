// Who calls whom: boxes for functions, arrows for calls, as gprof2dot draws them.
import { computed } from '@preact/signals';
import { goTo, param, setParams } from '../../app/address';
import {
  areCallsUnscoped,
  functionFault,
  isEstimated,
  recordedEdges,
  recordedFunctions,
  usesRecorded,
} from '../../app/function_values';
import { lazyResource } from '../../app/lazy_resource';
import { shownTree } from '../../app/shown_tree';
import {
  metric,
  profileEntry,
  searchMatches,
  selectedFunction,
  selectFunction,
  summary,
  tables,
} from '../../app/store';
import { token } from '../../app/theme';
import { formatCount, nameOf } from '../../model/format';
import { makeGraph, makeRecordedGraph } from '../../model/graph';
import type { CallGraph } from '../../model/types';
import { Chip } from '../../parts/chip';
import { save, saveCsv, saveSvgAsPng } from '../../parts/download';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { MenuButton } from '../../parts/menu';
import { Segmented } from '../../parts/segmented';
import { writeDot } from './dot_file';
import { layoutRequest, makeDrawing, type ColourBy, type Drawing, type Palette } from './drawing';
import { askForLayout } from './layout_client';
import { DEFAULTS, EDGE_STEPS, MOST_STEPS, NODE_STEPS, parseStep } from './options';
import { Picture } from './picture';
import { Slider } from './slider';
import { writeGraphSvg } from './svg_file';
import { edgesAsCsv, GraphTables } from './tables';
import './graph.css';

const nodePercent = computed(() => parseStep(param('n').value, NODE_STEPS, DEFAULTS.node));
const edgePercent = computed(() => parseStep(param('e').value, EDGE_STEPS, DEFAULTS.edge));
const most = computed(() => parseStep(param('most').value, MOST_STEPS, DEFAULTS.most));
const colourBy = computed<ColourBy>(() => (param('colour').value === 'self' ? 'self' : 'total'));
const isTable = computed(() => param('show').value === 'table');

const root = computed<number | null>(() => {
  const text = param('root').value;
  const row = /^\d+$/.test(text) ? Number(text) : -1;
  return row >= 0 && row < (tables.value.value?.functions.count ?? 0) ? row : null;
});

const graph = computed<CallGraph | null>(() => {
  const table = tables.value.value;
  if (!table) return null;
  const options = {
    nodeShare: nodePercent.value / 100,
    edgeShare: edgePercent.value / 100,
    most: most.value,
    root: root.value,
  };
  if (!usesRecorded.value) return shownTree.value && makeGraph(shownTree.value, table, options);
  const functions = recordedFunctions.value.value;
  const edges = recordedEdges.value.value;
  if (!functions || !edges) return null;
  const whole = functions.self.reduce((sum, value) => sum + value, 0);
  return makeRecordedGraph(functions, edges, whole, options);
});

const layout = lazyResource(() => {
  const table = tables.value.value;
  const wanted = graph.value;
  if (!wanted || !table || wanted.nodes.length === 0) return null;
  return askForLayout(layoutRequest(wanted, table)).then((found) => ({ of: wanted, found }));
});

const palette = computed<Palette>(() => ({
  heat: ['heat0', 'heat1', 'heat2', 'heat3', 'heat4'].map(token),
  weak: token('faint'),
  strong: token('heat3'),
  ink: token('ink'),
  inks: [token('on-light'), token('on-dark')],
  paper: token('panel'),
  line: token('faint'),
}));

// Of the newest graph that is laid out: the one before stays until the next is ready.
const drawing = computed<Drawing | null>(() => {
  const table = tables.value.value;
  const laidOut = layout.value.value;
  return laidOut && table && makeDrawing(laidOut.of, table, laidOut.found, colourBy.value, palette.value);
});

const openSource = (fn: number) => goTo('source', { function: fn, file: null, line: null });

function exportsOf(shown: CallGraph) {
  const table = tables.value.value!;
  const name = `${profileEntry.value?.name ?? 'profile'}-graph`;
  const unit = metric.value?.unit ?? 'count';
  const svg = () => drawing.value && writeGraphSvg(drawing.value, palette.value);
  return [
    {
      label: 'SVG picture',
      onPick: () => {
        const text = svg();
        if (text) save(text, `${name}.svg`, 'image/svg+xml');
      },
    },
    {
      label: 'PNG picture',
      onPick: () => {
        const text = svg();
        if (text && drawing.value)
          saveSvgAsPng(text, drawing.value.width, drawing.value.height, `${name}.png`);
      },
    },
    {
      label: 'DOT for Graphviz',
      onPick: () => {
        const text = writeDot(shown, table, colourBy.value, palette.value);
        save(text, `${name}.dot`, 'text/vnd.graphviz');
      },
    },
    { label: 'CSV of calls', onPick: () => saveCsv(edgesAsCsv(shown, table, unit), `${name}.csv`) },
  ];
}

function RootPicker() {
  const table = tables.value.value!;
  const selected = selectedFunction.value;
  return (
    <>
      {root.value !== null && (
        <Chip text={`below ${nameOf(table, root.value)}`} onRemove={() => setParams({ root: null })} />
      )}
      {selected !== null && selected !== root.value && (
        <button type="button" class="root" onClick={() => setParams({ root: selected })}>
          Only below {nameOf(table, selected)}
        </button>
      )}
    </>
  );
}

function Toolbar(props: { graph: CallGraph }) {
  return (
    <div class="toolbar">
      <Segmented
        label="Show as"
        choices={[
          { value: 'picture', label: 'Picture' },
          { value: 'table', label: 'Table' },
        ]}
        value={isTable.value ? 'table' : 'picture'}
        onChange={(value) => setParams({ show: value === 'table' ? value : null })}
      />
      <Segmented
        label="Colour by"
        choices={[
          { value: 'total', label: 'Total', title: 'Colour by time with what is called' },
          { value: 'self', label: 'Self', title: 'Colour by own time; the largest is the hottest' },
        ]}
        value={colourBy.value}
        onChange={(value) => setParams({ colour: value === 'self' ? value : null })}
      />
      <Slider
        label="Functions from"
        steps={NODE_STEPS}
        value={nodePercent.value}
        unit=" %"
        onChange={(value) => setParams({ n: value === DEFAULTS.node ? null : value })}
      />
      <Slider
        label="Calls from"
        steps={EDGE_STEPS}
        value={edgePercent.value}
        unit=" %"
        onChange={(value) => setParams({ e: value === DEFAULTS.edge ? null : value })}
      />
      <Slider
        label="At most"
        steps={MOST_STEPS}
        value={most.value}
        unit=" functions"
        onChange={(value) => setParams({ most: value === DEFAULTS.most ? null : value })}
      />
      <span class="end">
        <MenuButton label="Save" items={exportsOf(props.graph)} />
      </span>
    </div>
  );
}

function Remarks(props: { graph: CallGraph }) {
  const { nodes, edges, hiddenNodes, hiddenEdges } = props.graph;
  return (
    <div class="remarks" role="status">
      {formatCount(nodes.length)} functions and {formatCount(edges.length)} calls
      {hiddenNodes + hiddenEdges > 0 &&
        `; ${formatCount(hiddenNodes)} smaller functions and ${formatCount(hiddenEdges)} calls are left out`}
      . Percentages are of the whole program, in brackets those of the function itself.
      {isEstimated.value && ' Calls are estimated.'}
      {areCallsUnscoped.value && ' Calls are those of the whole run: the file does not tell them apart.'}
      <RootPicker />
    </div>
  );
}

export function GraphScreen() {
  const table = tables.value.value;
  const known = summary.value.value;
  const shown = graph.value;
  if (functionFault.value) return <Failure message={functionFault.value} />;
  if (known && !known.has.paths && !known.has.edges) {
    return (
      <Empty title="No calls were recorded">
        <p>This profile tells what lines or functions cost, not who called whom. A recording does:</p>
        <Command text="pyrometer run script.py" />
      </Empty>
    );
  }
  if (!table || !shown) return <Loading what="Adding up calls" />;
  return (
    <div class="graph">
      <h1 class="visually-hidden">Call graph</h1>
      <Toolbar graph={shown} />
      <Remarks graph={shown} />
      {layout.error.value && !isTable.value && <Failure message={layout.error.value} />}
      {shown.nodes.length === 0 ? (
        <Empty title="Nothing is large enough to be drawn">
          <p>
            No function has a value in this metric and scope, or the thresholds above leave all of them out.
          </p>
        </Empty>
      ) : isTable.value ? (
        <GraphTables
          graph={shown}
          tables={table}
          unit={metric.value?.unit ?? 'count'}
          selected={selectedFunction.value}
          onSelect={selectFunction}
          onOpen={openSource}
        />
      ) : drawing.value ? (
        <Picture
          drawing={drawing.value}
          palette={palette.value}
          selected={selectedFunction.value}
          matches={searchMatches.value}
          onSelect={selectFunction}
          onOpen={openSource}
        />
      ) : (
        !layout.error.value && <Loading what="Drawing" />
      )}
    </div>
  );
}
