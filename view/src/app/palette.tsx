// Ctrl-K: a screen, a metric or a function by a part of its name.
import type { TargetedKeyboardEvent } from 'preact';
import { useState } from 'preact/hooks';
import { nameOf, placeOf } from '../model/format';
import { goTo } from './address';
import { Dialog } from './dialog';
import { isPaletteShown } from './keys';
import { SCREENS } from './screens';
import { metrics, setMetric, tables } from './store';

interface Entry {
  readonly label: string;
  readonly what: string;
  readonly pick: () => void;
}

const MOST = 12;

function entriesFor(text: string): Entry[] {
  const wanted = text.trim().toLowerCase();
  const matches = (label: string) => label.toLowerCase().includes(wanted);
  const found: Entry[] = [];
  for (const screen of SCREENS) {
    if (matches(screen.title)) {
      found.push({ label: screen.title, what: 'screen', pick: () => goTo(screen.id) });
    }
  }
  for (const metric of metrics.value) {
    if (matches(metric.label)) {
      found.push({ label: metric.label, what: 'metric', pick: () => setMetric(metric.name) });
    }
  }
  const table = tables.value.value;
  if (table && wanted !== '') {
    for (let row = 0; row < table.functions.count && found.length < MOST; ++row) {
      const name = nameOf(table, row);
      if (!matches(name)) continue;
      found.push({
        label: name,
        what: placeOf(table, row),
        pick: () => goTo('functions', { function: row }),
      });
    }
  }
  return found.slice(0, MOST);
}

function PaletteBox(props: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = entriesFor(text);
  const chosen = Math.min(at, entries.length - 1);
  const pick = (entry: Entry | undefined) => {
    props.onClose();
    entry?.pick();
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') setAt(Math.min(entries.length - 1, chosen + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, chosen - 1));
    else if (event.key === 'Enter') {
      const typed = event.currentTarget.value; // may be newer than what is drawn
      pick(typed === text ? entries[chosen] : entriesFor(typed)[0]);
    } else return;
    event.preventDefault();
  };
  return (
    <Dialog label="Find" class="palette" onClose={props.onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Screen, metric or function"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen >= 0 ? `palette-${chosen}` : undefined}
        placeholder="Screen, metric or function"
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="palette-list" role="listbox" aria-label="Matches">
        {entries.map((entry, i) => (
          <li
            key={`${entry.what} ${entry.label} ${i}`}
            id={`palette-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => pick(entry)}
          >
            <span>{entry.label}</span>
            <small>{entry.what}</small>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

export function Palette() {
  if (!isPaletteShown.value) return null;
  return (
    <PaletteBox
      onClose={() => {
        isPaletteShown.value = false;
      }}
    />
  );
}
