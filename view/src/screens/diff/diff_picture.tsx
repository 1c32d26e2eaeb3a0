// The two profiles as one icicle: boxes are as wide as after, coloured by their change. What is gone
// has no width any more, so it is listed beside.
import { computed } from '@preact/signals';
import { useMemo, useRef, useState } from 'preact/hooks';
import { token } from '../../app/theme';
import { removedFrames } from '../../model/diff_tree';
import { formatValue } from '../../model/format';
import { save, saveCanvas } from '../../parts/download';
import { MenuButton } from '../../parts/menu';
import { VirtualTable, type Column } from '../../parts/virtual_table';
import { frameSvg } from '../flame/frame_svg';
import { subtreeOf } from '../flame/levels';
import { FlamePicture } from '../flame/picture';
import { changeStep, makeDiffPalette } from './diff_colours';
import { changeOf, describeChange, DiffLabels, frameName, framePlace, type DiffPicture } from './diff_frames';
import '../flame/flame.css';

const palette = computed(() => makeDiffPalette(token));
const SVG_WIDTH = 1600;

function useLabels(picture: DiffPicture): DiffLabels {
  return useMemo(() => {
    const context = document.createElement('canvas').getContext('2d');
    if (context) context.font = `11.5px ${palette.value.font}`;
    return new DiffLabels(picture, (text) => context?.measureText(text).width ?? text.length * 7);
  }, [picture]);
}

function Legend() {
  return (
    <div class="diff-legend" aria-hidden="true">
      <span>gone</span>
      {palette.value.fills.map((fill) => (
        <i key={fill} style={{ background: fill }} />
      ))}
      <span>new</span>
    </div>
  );
}

function Removed(props: { picture: DiffPicture }) {
  const { picture } = props;
  const rows = useMemo(() => removedFrames(picture.diff), [picture]);
  const [selected, setSelected] = useState(-1);
  if (rows.length === 0) return <p class="diff-note">All code that ran before ran after, too.</p>;
  const caller = (row: number) => {
    const above = picture.diff.parent[row];
    return above < 0 ? '' : frameName(picture, above);
  };
  const columns: Column[] = [
    {
      id: 'name',
      title: 'No longer called',
      width: 'minmax(140px, 2fr)',
      cell: (at) => <span class="mono">{frameName(picture, rows[at])}</span>,
    },
    {
      id: 'place',
      title: 'Where',
      width: 'minmax(100px, 1fr)',
      cell: (at) => <span class="mono">{framePlace(picture, rows[at])}</span>,
    },
    {
      id: 'before',
      title: 'Before',
      width: '90px',
      isNumber: true,
      cell: (at) => formatValue(picture.diff.beforeTotal[rows[at]], picture.unit),
    },
    {
      id: 'caller',
      title: 'Was called by',
      width: 'minmax(120px, 2fr)',
      cell: (at) => <span class="mono">{caller(rows[at])}</span>,
    },
  ];
  return (
    <VirtualTable
      label="Code that is gone"
      columns={columns}
      rowCount={rows.length}
      selected={selected}
      onSelect={setSelected}
      height="168px"
    />
  );
}

export function DiffIcicle(props: { picture: DiffPicture }) {
  const { picture } = props;
  const { frames } = picture;
  const labels = useLabels(picture);
  const [selected, setSelected] = useState(-1);
  const [root, setRoot] = useState(-1);
  const canvas = useRef<HTMLCanvasElement | null>(null);
  const colourOf = useMemo(
    () => (row: number) => {
      const { before, after } = changeOf(picture, row);
      return changeStep(before, after);
    },
    [picture],
  );
  const shownRoot = root < frames.count ? root : -1;
  const scene = {
    frames,
    depth: Number.MAX_SAFE_INTEGER,
    shape: 'icicle' as const,
    palette: palette.value,
    colourOf,
    labels,
    selected: selected < frames.count ? selected : -1,
    axisStart: null,
  };
  const zoomOut = () => {
    if (shownRoot < 0) return false;
    setRoot(frames.parent[shownRoot]);
    return true;
  };
  const saveSvg = () => {
    const shown = subtreeOf(frames, shownRoot);
    const texts = {
      title: 'What changed: as wide as after, coloured by the change',
      name: (row: number) => labels.name(row),
      describe: (row: number) => describeChange(picture, row).join('\n'),
    };
    save(
      frameSvg({ ...scene, shown }, shown.bounds, SVG_WIDTH, SVG_WIDTH, texts),
      'diff.svg',
      'image/svg+xml',
    );
  };
  return (
    <>
      <div class="flame-head">
        <Legend />
        <span>Boxes are as wide as their time after.</span>
        <button type="button" disabled={shownRoot < 0} onClick={() => setRoot(-1)}>
          Show everything
        </button>
        <MenuButton
          label="Save picture"
          items={[
            { label: 'SVG', onPick: saveSvg },
            { label: 'PNG', onPick: () => canvas.current && saveCanvas(canvas.current, 'diff.png') },
          ]}
        />
      </div>
      <FlamePicture
        {...scene}
        root={shownRoot}
        label="Both profiles as one icicle. Arrows move between boxes, Space zooms in, Escape out; the Table button shows the changes as a table."
        describedBy="diff-status"
        tooltip={(row) => describeChange(picture, row)}
        onSelect={setSelected}
        onZoomInto={setRoot}
        onZoomOut={zoomOut}
        onOpen={setRoot}
        onMenu={setRoot}
        onCanvas={(made) => {
          canvas.current = made;
        }}
      />
      <p class="flame-status" id="diff-status" role="status">
        {scene.selected >= 0
          ? describeChange(picture, scene.selected).join(' · ')
          : 'Click a box to zoom into it; click it again to come back.'}
      </p>
      <Removed picture={picture} />
    </>
  );
}
