// The flame screen's switch: the program's regions among the frames, or not.
import { effect } from '@preact/signals';
import { render } from 'preact';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { goTo, param } from '../src/app/address';
import { pathMatches, pathTables, pathTree } from '../src/app/region_paths';
import { search, source } from '../src/app/store';
import { Kind, type PathsOf } from '../src/data/types';
import { nameOf } from '../src/model/format';
import { frameMenu } from '../src/screens/flame/frame_menu';
import { picture } from '../src/screens/flame/state';
import { FlameToolbar } from '../src/screens/flame/toolbar';
import { eventually } from './eventually';
import { makeMetric, makeSource, makeSummary } from './fake_source';
import { makeProfile } from './make_profile';

const plain = makeProfile([
  [0, 'main', 1],
  [1, 'solve', 9],
]);
const made = makeProfile([
  [0, 'main', 1],
  [1, 'solve', 2],
  [1, '[step]', 0],
  [2, 'solve', 7],
]);
const kinds = made.tables.functions.kind.slice();
kinds[made.fn('[step]')] = Kind.region;
const withRegions = { ...made.tables, functions: { ...made.tables.functions, kind: kinds } };

function show(hasRegions: boolean): PathsOf[] {
  const asked: PathsOf[] = [];
  source.value = makeSource(makeSummary([makeMetric('wall')], { region_paths: hasRegions }), plain.tables, {
    tables: (of) => {
      asked.push(of);
      return Promise.resolve(of === 0 ? plain.tables : withRegions);
    },
    values: (of) => Promise.resolve(new Map([['wall', (of === 0 ? plain : made).tree.self]])),
  });
  goTo('flame');
  return asked;
}

function names(): string[] {
  const tables = pathTables.value;
  const tree = pathTree.value;
  return tables && tree ? Array.from(tree.function, (fn) => nameOf(tables, fn)) : [];
}

let place: HTMLElement;
let stop: () => void;
beforeEach(() => {
  place = document.createElement('main');
  document.body.append(place);
  stop = effect(() => void [picture.value, pathMatches.value]);
});
afterEach(() => {
  stop();
  render(null, place);
  place.remove();
  source.value = null;
  goTo('overview', { regions: null, region: null, search: null, at: null });
});

describe('call paths of the flame screen', () => {
  it('have regions among their frames until that is switched off', async () => {
    show(true);
    await eventually(() => expect(names()).toEqual(['main', 'solve', '[step]', 'solve']));
    render(<FlameToolbar tables={plain.tables} exports={[]} />, place);
    const button = [...place.querySelectorAll('button')].find((each) => each.textContent === 'Regions')!;
    expect(button.getAttribute('aria-pressed')).toBe('true');
    button.click();
    await eventually(() => expect(names()).toEqual(['main', 'solve']));
    expect(button.getAttribute('aria-pressed')).toBe('false');
    expect(location.hash).toContain('regions=hidden');
    button.click();
    await eventually(() => expect(names()).toHaveLength(4));
  });

  it('are as recorded where a profile does not know them', async () => {
    const asked = show(false);
    await eventually(() => expect(names()).toEqual(['main', 'solve']));
    render(<FlameToolbar tables={plain.tables} exports={[]} />, place);
    expect(place.textContent).not.toContain('Regions');
    expect(new Set(asked)).toEqual(new Set([0]));
  });

  it('are searched with their regions', async () => {
    show(true);
    goTo('flame', { search: 'step' });
    expect(search.value).toBe('step');
    await eventually(() => expect(pathMatches.value?.[made.fn('[step]')]).toBe(1));
  });

  it('lead from a region to all that happened in it', async () => {
    show(true);
    await eventually(() => expect(picture.value).not.toBeNull());
    const frames = picture.value!.frames;
    const row = frames.function.indexOf(made.fn('[step]'));
    const items = frameMenu(withRegions, row);
    expect(items.map((item) => item.label)).toContain('Only the region step');
    items.find((item) => item.label === 'Only the region step')!.onPick();
    expect(param('region').value).toBe('step');
  });
});
