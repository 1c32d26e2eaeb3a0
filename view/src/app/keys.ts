// Keys that work on every screen. Screens add their own on their own elements.
import { signal } from '@preact/signals';
import { goTo, setParams } from './address';
import { SCREENS } from './screens';
import { switchTheme } from './theme';

export const isHelpShown = signal(false);
export const isPaletteShown = signal(false);

export const KEYS: readonly (readonly [string, string])[] = [
  ['1 … 9, 0, -', 'show a screen'],
  ['/', 'search; -word leaves out, words are regular expressions'],
  ['Ctrl-K', 'find a screen, a metric or a function'],
  ['Esc', 'close, then clear the search'],
  ['t', 'light or dark'],
  ['?', 'this list'],
  ['arrows, Enter', 'move in tables and pictures, open'],
  ['w a s d, + −', 'zoom and pan in pictures'],
  ['j k', 'next and previous hot line of a source file'],
];

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|SELECT|TEXTAREA)$/.test(target.tagName))
  );
}

export function focusSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  box?.focus();
  box?.select();
}

export function listenToKeys(): void {
  document.addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      isPaletteShown.value = !isPaletteShown.value;
      return;
    }
    if (event.key === 'Escape') {
      if (isHelpShown.value) isHelpShown.value = false;
      else if (isPaletteShown.value) isPaletteShown.value = false;
      else if (!isTyping(event.target)) setParams({ search: null });
      return;
    }
    if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented)
      return;
    const screen = SCREENS.find((each) => each.key === event.key);
    if (screen) goTo(screen.id);
    else if (event.key === '/') focusSearch();
    else if (event.key === '?') isHelpShown.value = true;
    else if (event.key === 't') switchTheme();
    else return;
    event.preventDefault();
  });
}
