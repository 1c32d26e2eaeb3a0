// Blue for less, orange for more; the sign stands in each box's label as well.
import { mix, parseColour } from '../../parts/colour';
import { paletteOf, type Palette } from '../flame/box_colours';

const STEPS_EACH_WAY = 8;
const STRONGEST = 0.9; // of the token's colour, so that text can be read on it

export function makeDiffPalette(token: (name: string) => string): Palette {
  const [less, same, more] = ['less', 'same', 'more'].map((name) => parseColour(token(name)));
  const colours = [];
  for (let step = -STEPS_EACH_WAY; step <= STEPS_EACH_WAY; ++step) {
    colours.push(mix(same, step < 0 ? less : more, (Math.abs(step) / STEPS_EACH_WAY) * STRONGEST));
  }
  return paletteOf(colours, [token('ink'), token('bg')], token);
}

// The change in parts of the larger side, from -1 (gone) to 1 (new), as a place in the palette.
export function changeStep(before: number, after: number): number {
  const larger = Math.max(before, after);
  const share = larger > 0 ? (after - before) / larger : 0;
  return STEPS_EACH_WAY + Math.round(share * STEPS_EACH_WAY);
}
