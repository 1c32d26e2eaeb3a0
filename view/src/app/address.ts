// The state that a person would share or come back to, kept in the URL: #/flame?metric=cpu&from=1.5
// A page inside a notebook has no URL of its own, so there the state is kept here alone.
import { computed, signal, type ReadonlySignal } from '@preact/signals';

interface Address {
  readonly screen: string;
  readonly params: ReadonlyMap<string, string>;
}

export function parseHash(hash: string): Address {
  const text = hash.replace(/^#\/?/, '');
  const question = text.indexOf('?');
  const screen = question < 0 ? text : text.slice(0, question);
  const params = new Map(question < 0 ? [] : new URLSearchParams(text.slice(question + 1)));
  return { screen: screen || 'overview', params };
}

export function formatHash(address: Address): string {
  const params = new URLSearchParams([...address.params].sort(([a], [b]) => (a < b ? -1 : 1))).toString();
  return `#/${address.screen}${params && `?${params}`}`;
}

const address = signal<Address>(parseHash(location.hash));

// In a frame that was given its text (srcdoc) the URL cannot be changed, and links to a part of the
// page are taken for links to the page around it.
const hasUrl = location.protocol !== 'about:';

if (hasUrl) {
  window.addEventListener('hashchange', () => {
    address.value = parseHash(location.hash);
  });
} else {
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target.closest('a[href^="#/"]') : null;
    if (!target) return;
    event.preventDefault();
    address.value = parseHash(target.getAttribute('href') ?? '');
  });
}

export const screenId = computed(() => address.value.screen);

const signals = new Map<string, ReadonlySignal<string>>();

// A parameter by name; the empty text where it is not set.
export function param(name: string): ReadonlySignal<string> {
  let found = signals.get(name);
  if (!found) {
    found = computed(() => address.value.params.get(name) ?? '');
    signals.set(name, found);
  }
  return found;
}

type Changes = Readonly<Record<string, string | number | null | undefined>>;

function changed(changes: Changes, screen: string): Address {
  const params = new Map(address.value.params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === '') params.delete(name);
    else params.set(name, String(value));
  }
  return { screen, params };
}

function show(next: Address, isNewPlace: boolean): void {
  const hash = formatHash(next);
  if (hash === formatHash(address.value)) return;
  if (hasUrl && isNewPlace) history.pushState(null, '', hash);
  else if (hasUrl) history.replaceState(null, '', hash);
  address.value = next;
}

// Changes parameters in place: no new entry in the browser's history.
export function setParams(changes: Changes): void {
  show(changed(changes, address.value.screen), false);
}

// Goes to a screen; "back" returns from it.
export function goTo(screen: string, changes: Changes = {}): void {
  show(changed(changes, screen), true);
}

// The address of a screen with the scope and metric of now, for links.
export function linkTo(screen: string, changes: Changes = {}): string {
  return formatHash(changed(changes, screen));
}
