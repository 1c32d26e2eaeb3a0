// The kinds of activity, in words and colours.
const WORDS: Readonly<Record<string, string>> = {
  python: 'Python code',
  native: 'native code',
  system: 'operating system',
  'gil-wait': 'waiting for the GIL',
  'lock-wait': 'waiting for a lock',
  mpi: 'MPI',
  io: 'reading and writing',
  runnable: 'no core free',
  sleep: 'sleeping',
  waiting: 'waiting',
  idle: 'idle',
  running: 'running',
  other: 'other',
};

// For the heads of columns.
const SHORT_WORDS: Readonly<Record<string, string>> = {
  python: 'Python',
  native: 'native',
  system: 'system',
  'gil-wait': 'GIL wait',
  'lock-wait': 'lock wait',
  io: 'I/O',
  runnable: 'no core',
};

// Tokens of the same name, except for these.
const TOKENS: Readonly<Record<string, string>> = { running: 'python', other: 'waiting' };

export function categoryWords(category: string): string {
  return WORDS[category] ?? category;
}

export function shortCategoryWords(category: string): string {
  return SHORT_WORDS[category] ?? categoryWords(category);
}

// Drawn with lines across: its colour is near that of Python code for some eyes.
export function isHatched(category: string): boolean {
  return category === 'mpi';
}

export function categoryToken(category: string): string {
  return TOKENS[category] ?? (category in WORDS ? category : 'waiting');
}
