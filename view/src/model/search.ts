// What the search box means: words that must match, words after a minus that must not. A word is a
// regular expression, found in the name, the place or the module of a function.
import { NONE, type Tables } from '../data/types';
import { withValues } from './call_tree';
import type { CallTree } from './types';

export interface Search {
  readonly include: readonly RegExp[];
  readonly exclude: readonly RegExp[];
  readonly error: string; // a sentence; empty: none
}

export function parseSearch(text: string): Search {
  const include: RegExp[] = [];
  const exclude: RegExp[] = [];
  let error = '';
  for (const word of text.split(/\s+/)) {
    const isExcluded = word.length > 1 && word.startsWith('-');
    const pattern = isExcluded ? word.slice(1) : word;
    if (pattern === '' || pattern === '-') continue; // "-": the rest is still to be typed
    const flags = hasCapital(pattern) ? '' : 'i';
    let expression: RegExp;
    try {
      expression = new RegExp(pattern, flags);
    } catch {
      error ||= `“${pattern}” is no regular expression; it is looked for letter by letter.`;
      expression = new RegExp(pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), flags);
    }
    (isExcluded ? exclude : include).push(expression);
  }
  return { include, exclude, error };
}

// "\W" and the like say nothing about case.
function hasCapital(pattern: string): boolean {
  return /\p{Lu}/u.test(pattern.replace(/\\./gu, ''));
}

// By function: 1 where it matches. An empty search matches everything.
export function matchFunctions(search: Search, tables: Tables): Uint8Array {
  const matches = new Uint8Array(tables.functions.count).fill(1);
  for (const expression of search.include) markMatches(expression, tables, matches, 0);
  for (const expression of search.exclude) markMatches(expression, tables, matches, 1);
  return matches;
}

// Clears those whose match is not wanted: `refused` 0 the ones that do not match, 1 the ones that do.
function markMatches(expression: RegExp, tables: Tables, matches: Uint8Array, refused: 0 | 1): void {
  const { texts, functions, files } = tables;
  // Modules and files repeat: each text is tried once. 2: not yet.
  const known = new Uint8Array(texts.count).fill(2);
  const isMatch = (text: number) => {
    if (known[text] === 2) known[text] = expression.test(texts.get(text)) ? 1 : 0;
    return known[text] === 1;
  };
  const hasLine = expression.source.includes(':');
  for (let fn = 0; fn < functions.count; ++fn) {
    if (matches[fn] === 0) continue;
    const file = functions.file[fn] === NONE ? -1 : files.name[functions.file[fn]];
    const found =
      isMatch(functions.name[fn]) ||
      isMatch(functions.module[fn]) ||
      (file >= 0 &&
        (isMatch(file) || (hasLine && expression.test(`${texts.get(file)}:${functions.line[fn]}`))));
    if (found === (refused === 1)) matches[fn] = 0;
  }
}

// The share of everything that is in matching functions and what they call; recursion counts once.
export function matchedShare(tree: CallTree, matches: Uint8Array): number {
  let matched = 0;
  for (let node = 0; node < tree.count;) {
    if (matches[tree.function[node]] === 1) {
      matched += tree.total[node];
      node = tree.end[node];
    } else {
      ++node;
    }
  }
  return tree.whole > 0 ? Math.min(1, Math.max(0, matched / tree.whole)) : 0;
}

// Only what was spent in matching functions and below; callers stay as the way there. Rows keep their
// numbers.
export function filterTree(tree: CallTree, matches: Uint8Array): CallTree {
  const self = new Float64Array(tree.count);
  for (let node = 0; node < tree.count;) {
    if (matches[tree.function[node]] === 1) {
      const end = tree.end[node];
      self.set(tree.self.subarray(node, end), node);
      node = end;
    } else {
      ++node;
    }
  }
  return withValues(tree, self);
}
