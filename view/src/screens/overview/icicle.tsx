// A small icicle of the whole: where the time goes, from the outermost calls down. The flame screen has it
// in full, as a table too.
import { computed } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { goTo, linkTo } from '../../app/address';
import { frameOptions } from '../../app/frame_options';
import { metric, tables, tree } from '../../app/store';
import { token } from '../../app/theme';
import type { Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf } from '../../model/format';
import { makeFrames } from '../../model/frames';
import type { FrameTree } from '../../model/types';
import { colourByModule, makePalette } from '../flame/box_colours';
import { formatPath } from '../flame/frame_path';
import { Labels } from '../flame/labels';
import { FlamePicture } from '../flame/picture';

const LEVELS = 8;
const LETTER = 6.8; // pixels, about: names are cut to fit

const palette = computed(() => makePalette(token));

const frames = computed(() => {
  const table = tables.value.value;
  return table && tree.value
    ? makeFrames(tree.value, table, { ...frameOptions.value, cutoff: 1 / 1000 })
    : null;
});

function openFlame(of: FrameTree, row: number): void {
  goTo('flame', { at: formatPath(of, row) });
}

function Picture(props: { frames: FrameTree; tables: Tables }) {
  const { frames: shown, tables: table } = props;
  const [selected, setSelected] = useState(-1);
  const labels = useMemo(() => new Labels(table, (text) => text.length * LETTER), [table]);
  const colourOf = useMemo(() => colourByModule(shown, table), [shown, table]);
  const tooltip = (row: number) => {
    const fn = shown.function[row];
    const value = formatValue(shown.total[row], metric.value?.unit ?? 'count');
    return [
      nameOf(table, fn),
      placeOf(table, fn),
      `${value}, ${formatShare(shareOf(shown.total[row], shown.whole))}`,
    ];
  };
  return (
    // The wheel scrolls the page here; the flame screen zooms.
    <div class="small-icicle" onWheelCapture={(event) => event.stopPropagation()}>
      <FlamePicture
        frames={shown}
        root={-1}
        depth={LEVELS}
        shape="icicle"
        palette={palette.value}
        colourOf={colourOf}
        labels={labels}
        selected={selected < shown.count ? selected : -1}
        axisStart={null}
        label="Small flame graph of the run. Arrows move between boxes, Enter opens one in the flame screen, which has the same as a table."
        tooltip={tooltip}
        onSelect={setSelected}
        onZoomInto={(row) => {
          if (row >= 0) openFlame(shown, row);
        }}
        onZoomOut={() => false}
        onOpen={(row) => openFlame(shown, row)}
        onMenu={(row) => openFlame(shown, row)}
      />
    </div>
  );
}

// The rest of the overview must not wait for it.
function useLater(): boolean {
  const [isLater, setLater] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), 50);
    return () => clearTimeout(timer);
  }, []);
  return isLater;
}

export function SmallIcicle(props: { tables: Tables }) {
  const shown = useLater() ? frames.value : null;
  if (!shown || shown.count === 0) return null;
  return (
    <section class="card">
      <h2>Call paths, the outermost calls at the top</h2>
      <Picture frames={shown} tables={props.tables} />
      <a href={linkTo('flame')}>Flame →</a>
    </section>
  );
}
