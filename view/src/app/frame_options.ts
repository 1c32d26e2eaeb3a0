// What becomes of frames before they are drawn, as chosen for all pictures.
import { computed } from '@preact/signals';
import type { FrameOptions } from '../model/types';
import { param, setParams } from './address';

export const hiddenModules = computed(() => param('hide').value.split(',').filter(Boolean));

export const frameOptions = computed<FrameOptions>(() => ({
  collapseRecursion: param('collapse').value === '1',
  ownCodeOnly: param('own').value === '1',
  hiddenModules: hiddenModules.value,
  root: null,
  cutoff: 0,
}));

export function hideModule(name: string): void {
  if (!hiddenModules.value.includes(name)) setParams({ hide: [...hiddenModules.value, name].join(',') });
}
