// What can be done with a frame. Each change of the picture is a chip that can be removed again.
import { goTo, param, setParams } from '../../app/address';
import { hideModule } from '../../app/frame_options';
import { toggleRegions } from '../../app/region_paths';
import { Kind, NONE, type Tables } from '../../data/types';
import { nameOf, shorten, visible } from '../../model/format';
import type { MenuItem } from '../../parts/menu';
import { picture, toggle, zoomInto } from './state';

// "assembly" of the frame "[assembly]"; null: it is no region.
function regionOf(tables: Tables, fn: number): string | null {
  const { kind, name } = tables.functions;
  return kind[fn] === (Kind.region as number) ? tables.texts.get(name[fn]).slice(1, -1) : null;
}

// A region has no source of its own: everything is narrowed to it.
export function openSource(tables: Tables, fn: number): void {
  const { file, line } = tables.functions;
  const region = regionOf(tables, fn);
  if (region !== null) setParams({ region });
  else if (file[fn] === NONE) goTo('functions', { function: fn });
  else goTo('source', { function: fn, file: file[fn], line: line[fn] || null });
}

export function frameMenu(tables: Tables, row: number): MenuItem[] {
  const frames = picture.value?.frames;
  if (!frames) return [];
  const fn = frames.function[row];
  const name = shorten(nameOf(tables, fn), 40);
  const region = regionOf(tables, fn);
  if (region !== null) {
    return [
      { label: 'Zoom in here', onPick: () => zoomInto(row) },
      { label: `Only the region ${shorten(visible(region), 40)}`, onPick: () => setParams({ region }) },
      { label: 'Show call paths without regions', onPick: toggleRegions },
      { label: 'Copy name', onPick: () => copy(region) },
    ];
  }
  const module = tables.texts.get(tables.functions.module[fn]);
  const items: MenuItem[] = [
    { label: 'Zoom in here', onPick: () => zoomInto(row) },
    { label: `Only inside ${name}, wherever called`, onPick: () => setParams({ focus: fn, at: null }) },
    {
      label: param('collapse').value === '1' ? 'Show recursion' : 'Collapse recursion',
      onPick: () => toggle('collapse'),
    },
  ];
  // Names of hidden modules are kept as a list with commas.
  if (module !== '' && !module.includes(',')) {
    const shown = shorten(visible(module), 40);
    items.push({ label: `Fold ${shown} into its callers`, onPick: () => hideModule(module) });
  }
  items.push(
    { label: param('own').value === '1' ? 'Show all code' : 'Only my code', onPick: () => toggle('own') },
    { label: 'Copy name', onPick: () => copy(tables.texts.get(tables.functions.name[fn])) },
    { label: 'Show in functions', onPick: () => goTo('functions', { function: fn }) },
    { label: 'Show source', onPick: () => openSource(tables, fn) },
    { label: 'Show in call graph', onPick: () => goTo('graph', { function: fn }) },
  );
  return items;
}

// Without a secure context there is no clipboard, but 127.0.0.1 and files are ones.
function copy(text: string): void {
  navigator.clipboard?.writeText(text).catch(() => undefined);
}
