// The call paths as all tables and graphs count them: after "my code", hidden modules, collapsed recursion.
import { computed } from '@preact/signals';
import { pathsOfFrames } from '../model/frame_paths';
import { makeFrames } from '../model/frames';
import { frameOptions } from './frame_options';
import { tables, tree } from './store';

export const isTransformed = computed(() => {
  const options = frameOptions.value;
  return (
    options.collapseRecursion ||
    options.ownCodeOnly ||
    options.hiddenModules.length > 0 ||
    options.root !== null
  );
});

export const shownTree = computed(() => {
  const table = tables.value.value;
  if (!tree.value || !table || !isTransformed.value) return tree.value;
  return pathsOfFrames(makeFrames(tree.value, table, frameOptions.value));
});
