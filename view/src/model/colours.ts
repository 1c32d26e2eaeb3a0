// Which of a fixed number of colours: the same module has the same one in every run.

export const MODULE_COLOURS = 8; // --box0 up to --box7
export const HEAT_STEPS = 5;

// FNV-1a: names that differ by one letter must not be neighbours.
export function colourIndexOf(moduleName: string, colours = MODULE_COLOURS): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < moduleName.length; ++i) hash = Math.imul(hash ^ moduleName.charCodeAt(i), 0x01000193);
  return ((hash ^ (hash >>> 16)) >>> 0) % colours;
}

// By function, for pictures of many frames.
export function functionColours(
  tables: {
    readonly texts: { get(index: number): string };
    readonly functions: { readonly module: Uint32Array };
  },
  colours = MODULE_COLOURS,
): Uint8Array {
  const known = new Map<number, number>();
  return Uint8Array.from(tables.functions.module, (module) => {
    let index = known.get(module);
    if (index === undefined) known.set(module, (index = colourIndexOf(tables.texts.get(module), colours)));
    return index;
  });
}

// 0 for nothing up to steps - 1 for everything. The root gives small shares more steps: most are small.
export function heatIndexOf(share: number, steps = HEAT_STEPS): number {
  if (!(share > 0)) return 0;
  return Math.min(steps - 1, Math.floor(Math.sqrt(Math.min(1, share)) * steps));
}
