// What colour a box has, and the ink that is read on it: by module, by own cost, or by search.
import type { FrameTree } from '../../model/types';
import type { Tables } from '../../data/types';
import { functionColours, heatIndexOf, MODULE_COLOURS } from '../../model/colours';
import { formatColour, inkOn, parseColour, pixelOf, type Rgb } from '../../parts/colour';
import { makeRamp } from '../../parts/colour_ramp';

const HEAT_TOKENS = 5;
const HEAT_STEPS = 32;
const MATCH = MODULE_COLOURS + HEAT_STEPS;
const DIM = MATCH + 1;

export interface Palette {
  readonly fills: readonly string[];
  readonly inks: readonly string[];
  readonly pixels: Uint32Array;
  readonly background: string;
  readonly backgroundPixel: number;
  readonly line: string; // around what is selected
  readonly font: string; // family
}

export function makePalette(token: (name: string) => string): Palette {
  const stops = Array.from({ length: HEAT_TOKENS }, (_, i) => token(`heat${i}`));
  const colours: Rgb[] = [];
  for (let i = 0; i < MODULE_COLOURS; ++i) colours.push(parseColour(token(`box${i}`)));
  colours.push(...makeRamp(stops, HEAT_STEPS));
  colours.push(parseColour(token('box-match')), parseColour(token('box-dim')));
  return paletteOf(colours, [token('on-light'), token('on-dark')], token);
}

// Each colour with the ink that can be read on it.
export function paletteOf(colours: readonly Rgb[], inks: string[], token: (name: string) => string): Palette {
  const background = token('panel');
  return {
    fills: colours.map(formatColour),
    inks: colours.map((colour) => inkOn(colour, inks)),
    pixels: Uint32Array.from(colours, pixelOf),
    background,
    backgroundPixel: pixelOf(parseColour(background)),
    line: token('ink'),
    font: token('sans') || 'sans-serif',
  };
}

// By frame: its colour's place in the palette.
export type ColourOf = (row: number) => number;

export function isMatch(index: number): boolean {
  return index === MATCH;
}

export function colourByModule(frames: FrameTree, tables: Tables): ColourOf {
  const ofFunction = functionColours(tables, MODULE_COLOURS);
  return (row) => ofFunction[frames.function[row]];
}

// `values` by frame, as shares of `whole`.
export function colourByHeat(values: Float64Array, whole: number): ColourOf {
  return (row) => MODULE_COLOURS + heatIndexOf(values[row] / whole, HEAT_STEPS);
}

export function colourByMatch(frames: FrameTree, matches: Uint8Array): ColourOf {
  return (row) => (matches[frames.function[row]] ? MATCH : DIM);
}
