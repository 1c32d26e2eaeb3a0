// What `pyrometer diff --json` says (docs/diff.schema.json), checked.
import type { Unit } from '../../data/types';
import {
  listIn,
  numberIn,
  objectOf,
  optionalNumberIn,
  optionalTextIn,
  textIn,
  unitIn,
  type JsonObject,
} from '../../data/json_values';
import { placeText } from '../../parts/place_text';

export interface Change {
  readonly before: number | null; // null: it is new
  readonly after: number | null; // null: it is gone
  readonly change: number;
  readonly relative: number | null; // to before; null where that is nothing
  readonly margin: number; // half of the 95 % interval of the change; 0: exact
  readonly isSure: boolean; // chance does not explain it
}

export interface ChangeRow extends Change {
  readonly name: string;
  readonly place: string;
  readonly oldLine: number; // of lines that moved; 0: it is where it was, or not known
  readonly isEdited: boolean;
  readonly source: string;
  readonly hitsBefore: number | null;
  readonly hitsAfter: number | null;
}

export interface Difference {
  readonly unit: Unit;
  readonly isSampled: boolean;
  readonly scale: number; // of all values after; other than 1 when they were normalised
  readonly total: Change;
  readonly rows: readonly ChangeRow[];
}

function readChange(from: JsonObject): Change {
  return {
    before: optionalNumberIn(from, 'before'),
    after: optionalNumberIn(from, 'after'),
    change: numberIn(from, 'change'),
    relative: optionalNumberIn(from, 'relative'),
    margin: numberIn(from, 'margin'),
    isSure: from['sure'] === true,
  };
}

export function readDifference(json: unknown): Difference {
  const from = objectOf(json, 'the comparison');
  return {
    unit: unitIn(from),
    isSampled: from['sampled'] === true,
    scale: numberIn(from, 'scale'),
    total: readChange(objectOf(from['total'], 'the total')),
    rows: listIn(from, 'rows').map((value) => {
      const row = objectOf(value, 'a row');
      const line = optionalNumberIn(row, 'line');
      const oldLine = optionalNumberIn(row, 'old_line') ?? 0;
      return {
        ...readChange(row),
        name: textIn(row, 'name'),
        place: placeText(textIn(row, 'file'), line ?? numberIn(row, 'first_line')),
        oldLine: oldLine === line ? 0 : oldLine,
        isEdited: row['edited'] === true,
        source: optionalTextIn(row, 'source').trim(),
        hitsBefore: optionalNumberIn(row, 'hits_before'),
        hitsAfter: optionalNumberIn(row, 'hits_after'),
      };
    }),
  };
}
