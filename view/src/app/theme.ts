// Light or dark: as the system says, until the person chooses.
import { effect, signal } from '@preact/signals';

export type Theme = 'light' | 'dark';

const STORED = 'pyrometer-theme';

function stored(): Theme | null {
  try {
    const theme = localStorage.getItem(STORED);
    return theme === 'light' || theme === 'dark' ? theme : null;
  } catch {
    return null; // a page from disk may have no storage
  }
}

const system = window.matchMedia('(prefers-color-scheme: dark)');
export const theme = signal<Theme>(stored() ?? (system.matches ? 'dark' : 'light'));

system.addEventListener('change', () => {
  if (stored() === null) theme.value = system.matches ? 'dark' : 'light';
});

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function switchTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  try {
    localStorage.setItem(STORED, theme.value);
  } catch {
    // not remembered, then
  }
}

// A colour token as pictures need it, in the theme of now. Read inside an effect or a computed
// signal, so that it changes with the theme.
export function token(name: string): string {
  void theme.value;
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}
