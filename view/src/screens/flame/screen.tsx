// Flame: who called what, and what it cost, as boxes inside boxes.
import { computed } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pathFault, pathMatches, pathTables, pathTree } from '../../app/region_paths';
import { isLoading, metric, search, selectedFunction, summary, tables } from '../../app/store';
import { token } from '../../app/theme';
import type { Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { matchedShare } from '../../model/search';
import { saveCanvas, save, saveCsv } from '../../parts/download';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { Menu } from '../../parts/menu';
import type { Range } from '../../parts/range';
import { colourByHeat, colourByMatch, colourByModule, makePalette } from './box_colours';
import { Breadcrumbs } from './breadcrumbs';
import { describeFrame } from './describe';
import { frameMenu, openSource } from './frame_menu';
import { framesInSight } from './frame_rows';
import { frameSvg } from './frame_svg';
import { FrameTable } from './frame_table';
import { Labels } from './labels';
import { heaviestFrame, subtreeOf } from './levels';
import { HeatLegend } from './heat_legend';
import { FlamePicture } from './picture';
import {
  depth,
  depthChoice,
  isHeat,
  isInverted,
  isTableShown,
  isTimeOrder,
  picture,
  root,
  samples,
  shape,
  zoomInto,
  zoomOut,
  type Picture,
} from './state';
import { FlameToolbar } from './toolbar';
import './flame.css';

const palette = computed(() => makePalette(token));

const SVG_WIDTH = 1600;
const SVG_HEIGHT = 1000; // of sunbursts
const VIEW_SETTLES_MS = 150;

export function FlameScreen() {
  const table = tables.value.value;
  const shown = picture.value;
  if (!table) return null;
  if (summary.value.value && !summary.value.value.has.paths) return <NoPaths />;
  const fault = pathFault.value || (isTimeOrder.value ? samples.error.value : '');
  const ofPaths = pathTables.value;
  return (
    <>
      <h1 class="visually-hidden">Flame graph</h1>
      {shown && ofPaths ? (
        <FlameWith tables={ofPaths} picture={shown} />
      ) : (
        <>
          <FlameToolbar tables={table} exports={[]} />
          {fault === '' && <Loading what="Building the picture" />}
        </>
      )}
      {fault !== '' && <Failure message={fault} />}
    </>
  );
}

function NoPaths() {
  return (
    <Empty title="This profile has no call paths">
      <p>A flame graph shows who called what. Record the program with Pyrometer, which keeps the paths:</p>
      <Command text="pyrometer run script.py" />
    </Empty>
  );
}

function useLabels(table: Tables): Labels {
  return useMemo(() => {
    const context = document.createElement('canvas').getContext('2d');
    if (context) context.font = `11.5px ${palette.value.font}`;
    return new Labels(table, (text) => context?.measureText(text).width ?? text.length * 7);
  }, [table]);
}

// The view as it is when it has come to rest; tables need not follow every step of a movement.
function useSettledView(bounds: Range): readonly [Range, (view: Range) => void] {
  const [view, setView] = useState(bounds);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(waiting.current), []);
  const onView = (next: Range) => {
    clearTimeout(waiting.current);
    waiting.current = setTimeout(() => setView(next), VIEW_SETTLES_MS);
  };
  return [view, onView];
}

function FlameWith(props: { tables: Tables; picture: Picture }) {
  const { tables: table, picture: shown } = props;
  const { frames, whole, unit } = shown;
  const matches = pathMatches.value;
  const inverted = isInverted.value;
  const labels = useLabels(table);
  const subtree = useMemo(() => subtreeOf(frames, root.value), [frames, root.value]);
  const colourOf = useMemo(() => {
    if (matches) return colourByMatch(frames, matches);
    if (isHeat.value) return colourByHeat(inverted ? frames.total : frames.self, whole);
    return colourByModule(frames, table);
  }, [frames, table, matches, isHeat.value]);
  const [selected, setSelected] = useState(-1);
  const [menu, setMenu] = useState<{ row: number; x: number; y: number } | null>(null);
  const [view, onView] = useSettledView(subtree.bounds);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  // What was selected on another screen is found here; a box of it that was clicked stays.
  const fn = selectedFunction.value;
  const selectedIn = useRef(frames);
  useEffect(() => {
    const isSame = selectedIn.current === frames;
    selectedIn.current = frames;
    setSelected((now) =>
      isSame && now >= 0 && frames.function[now] === fn ? now : heaviestFrame(frames, fn),
    );
  }, [frames, fn]);

  const chosen = selected < frames.count ? selected : -1;
  const describe = (row: number) => describeFrame(shown, table, row, inverted);
  const tooltip = (row: number) => {
    const { name, lines } = describe(row);
    return [name, ...lines];
  };
  const open = (row: number) => openSource(table, frames.function[row]);
  const scene = {
    frames,
    depth: depth.value,
    shape: shape.value,
    palette: palette.value,
    colourOf,
    labels,
    selected: chosen,
    marked: fn ?? -1,
    axisStart: isTimeOrder.value ? shown.start : null,
  };
  const title = `${metric.value?.label ?? ''}: ${formatValue(whole, unit)} in all`;

  const saveSvg = () => {
    const texts = {
      title,
      name: (row: number) => nameOf(table, frames.function[row]),
      describe: (row: number) => tooltip(row).join('\n'),
    };
    const svg = frameSvg({ ...scene, shown: subtree }, view, SVG_WIDTH, SVG_HEIGHT, texts);
    save(svg, 'flame.svg', 'image/svg+xml');
  };
  const saveRows = () => {
    const { rows } = framesInSight(frames, subtree, depth.value, view, 0);
    const head = ['level', 'function', 'place', `total (${unit})`, `own (${unit})`];
    const lines = Array.from(rows, (row) => {
      const fn = frames.function[row];
      return [callersOf(row), nameOf(table, fn), placeOf(table, fn), frames.total[row], frames.self[row]];
    });
    saveCsv([head, ...lines], 'flame.csv');
  };
  const callersOf = (row: number) => {
    let level = 1;
    for (let at = frames.parent[row]; at >= 0; at = frames.parent[at]) ++level;
    return level;
  };

  return (
    <>
      <FlameToolbar
        tables={table}
        exports={[
          { label: 'SVG', onPick: saveSvg },
          { label: 'PNG', onPick: () => canvas.current && saveCanvas(canvas.current, 'flame.png') },
          { label: 'CSV of the boxes', onPick: saveRows },
        ]}
      />
      <div class="flame-head">
        <Breadcrumbs frames={frames} tables={table} root={root.value} onZoomInto={zoomInto} />
        <Matched matches={matches} />
        {isHeat.value && !matches && <HeatLegend isInverted={inverted} />}
      </div>
      {frames.count === 0 ? (
        <Nothing />
      ) : (
        <>
          <FlamePicture
            {...scene}
            root={root.value}
            label={`Flame graph of ${title}. Arrows move between boxes, Space zooms in, Enter opens the source; the Table button shows the same as a table.`}
            describedBy="flame-status"
            tooltip={tooltip}
            onSelect={setSelected}
            onZoomInto={zoomInto}
            onZoomOut={() => {
              const isZoomed = root.value >= 0;
              zoomOut();
              return isZoomed;
            }}
            onOpen={open}
            onMenu={(row, x, y) => setMenu({ row, x, y })}
            onView={onView}
            onCanvas={(made) => (canvas.current = made)}
          />
          <p class="flame-status" id="flame-status" role="status">
            {chosen >= 0 ? tooltip(chosen).join(' · ') : hintFor(shown)}
          </p>
          {isTableShown.value && (
            <FrameTable
              picture={shown}
              tables={table}
              shown={subtree}
              depth={depth.value}
              view={view}
              selected={chosen}
              isInverted={inverted}
              onSelect={setSelected}
              onOpen={open}
            />
          )}
        </>
      )}
      {menu && (
        <Menu
          label="Frame"
          items={frameMenu(table, menu.row)}
          x={menu.x}
          y={menu.y}
          onClose={() => setMenu(null)}
        />
      )}
    </>
  );
}

function hintFor(shown: Picture): string {
  if (shown.hiddenLevels > 0) {
    return `The deepest ${shown.hiddenLevels} levels are not drawn: there are too many moments. Choose a shorter time range to see them.`;
  }
  if (shape.value === 'sunburst' && depthChoice.value === 'all') {
    return 'Rings too thin to be told apart are left out; click a box to see what is further out.';
  }
  return 'Click a box to zoom into it, double click to see its source, right click for more.';
}

function Matched(props: { matches: Uint8Array | null }) {
  const callTree = pathTree.value;
  const share = useMemo(
    () => (props.matches && callTree ? matchedShare(callTree, props.matches) : 0),
    [props.matches, callTree],
  );
  if (!props.matches || !callTree) return null;
  const value = formatValue(share * callTree.whole, metric.value?.unit ?? 'ns');
  return (
    <span role="status">
      {share > 0
        ? `“${search.value}” and what it calls: ${value}, ${formatShare(shareOf(share, 1))} of all`
        : `Nothing here matches “${search.value}”`}
    </span>
  );
}

function Nothing() {
  return (
    <Empty title="Nothing to draw">
      <p>
        {isLoading.value
          ? 'The values are being read.'
          : 'No cost of this metric was recorded in what is chosen. Remove a chip above, or choose another metric.'}
      </p>
    </Empty>
  );
}
