// The choices of the flame screen.
import { setParams } from '../../app/address';
import { hasRegionPaths, showsRegions, toggleRegions } from '../../app/region_paths';
import { scope } from '../../app/scope';
import { summary } from '../../app/store';
import type { Tables } from '../../data/types';
import { MenuButton, type MenuItem } from '../../parts/menu';
import { Picker, Segmented } from '../../parts/segmented';
import {
  cutoffChoice,
  CUTOFFS,
  depthChoice,
  DEPTHS,
  isHeat,
  isInverted,
  isTableShown,
  isTimeOrder,
  shape,
  thread,
  toggle,
} from './state';
import { isInScope, threadName } from './threads';

const SHAPES = [
  { value: 'icicle', label: 'Icicle', title: 'Callers above, what they call below' },
  { value: 'flame', label: 'Flame', title: 'Callers below, what they call above' },
  { value: 'sunburst', label: 'Sunburst', title: 'Callers inside, what they call around them' },
] as const;

const CUTOFF_LABELS = { none: 'none', '1000': '1/1000', '100': '1/100' };

// A list that unfolds gets slow long before it is of use.
const MOST_THREADS = 1000;

function ThreadPicker(props: { tables: Tables }) {
  const choices = [];
  for (let row = 0; row < props.tables.threads.count && choices.length < MOST_THREADS; ++row) {
    if (!isInScope(props.tables, scope.value, row)) continue;
    choices.push({ value: String(row), label: threadName(props.tables, row) });
  }
  if (choices.length < 2) return null;
  return (
    <Picker
      label="Thread"
      choices={choices}
      value={String(thread.value)}
      onChange={(value) => setParams({ thread: value, at: null })}
    />
  );
}

export function FlameToolbar(props: { tables: Tables; exports: readonly MenuItem[] }) {
  const isTimed = summary.value.value?.has.time ?? false;
  return (
    <div class="toolbar">
      <Segmented
        label="Shape"
        choices={SHAPES}
        value={shape.value}
        onChange={(value) => setParams({ shape: value === 'icicle' ? null : value })}
      />
      <Segmented
        label="Order"
        choices={[
          {
            value: 'heavy',
            label: 'Heaviest first',
            title: 'The same call paths joined, the heaviest at the left',
          },
          {
            value: 'time',
            label: 'In time',
            disabled: !isTimed,
            title: isTimed ? 'One thread, from its start to its end' : 'This profile has no moments in time',
          },
        ]}
        value={isTimeOrder.value ? 'time' : 'heavy'}
        onChange={(value) => setParams({ order: value === 'time' ? 'time' : null, at: null })}
      />
      {isTimeOrder.value ? (
        <ThreadPicker tables={props.tables} />
      ) : (
        <button
          type="button"
          aria-pressed={isInverted.value}
          title="Begin with the functions that did the work and show who called them"
          onClick={() => toggle('inverted')}
        >
          Inverted
        </button>
      )}
      {hasRegionPaths.value && (
        <button
          type="button"
          aria-pressed={showsRegions.value}
          title="Show the regions that the program times among the frames that they began in"
          onClick={toggleRegions}
        >
          Regions
        </button>
      )}
      <Picker
        label="Depth"
        choices={DEPTHS.map((value) => ({ value, label: value }))}
        value={depthChoice.value}
        onChange={(value) => setParams({ depth: value })}
      />
      {!isTimeOrder.value && (
        <Picker
          label="Cutoff"
          choices={CUTOFFS.map((value) => ({ value, label: CUTOFF_LABELS[value] }))}
          value={cutoffChoice.value}
          onChange={(value) => setParams({ cutoff: value === 'none' ? null : value })}
        />
      )}
      <Segmented
        label="Colours"
        choices={[
          { value: 'module', label: 'Module', title: 'The same module has the same colour in every run' },
          {
            value: 'heat',
            label: 'Own cost',
            title: 'The hotter, the more of the cost is in the function itself',
          },
        ]}
        value={isHeat.value ? 'heat' : 'module'}
        onChange={(value) => setParams({ boxes: value === 'heat' ? 'heat' : null })}
      />
      <span class="end">
        <button type="button" aria-pressed={isTableShown.value} onClick={() => toggle('table')}>
          Table
        </button>{' '}
        <MenuButton label="Save" items={props.exports} />
      </span>
    </div>
  );
}
