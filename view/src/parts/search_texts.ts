// The search box for rows that are texts and no functions of the profile.
import type { Search } from '../model/search';

export function matchesTexts(search: Search, texts: readonly string[]): boolean {
  const isIn = (expression: RegExp) => texts.some((text) => expression.test(text));
  return search.include.every(isIn) && !search.exclude.some(isIn);
}
