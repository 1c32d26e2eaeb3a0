// What becomes of frames before they are drawn, as chosen for all pictures.
import { computed } from '@preact/signals';
import type { FrameOptions } from '../model/types';
import { param, setParams } from './address';
import { tables } from './store';

export const hiddenModules = computed(() => param('hide').value.split(',').filter(Boolean));

// Only what this function calls; its row, null: everything.
export const focusedFunction = computed<number | null>(() => {
  const text = param('focus').value;
  const row = text === '' ? Number.NaN : Number(text);
  return Number.isInteger(row) && row >= 0 && row < (tables.value.value?.functions.count ?? 0) ? row : null;
});

export const frameOptions = computed<FrameOptions>(() => ({
  collapseRecursion: param('collapse').value === '1',
  ownCodeOnly: param('own').value === '1',
  hiddenModules: hiddenModules.value,
  root: focusedFunction.value,
  cutoff: 0,
}));

export function hideModule(name: string): void {
  if (!hiddenModules.value.includes(name)) setParams({ hide: [...hiddenModules.value, name].join(',') });
}
