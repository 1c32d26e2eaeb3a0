// Names on boxes, cut to what fits. Names are decoded and measured once.
import type { Tables } from '../../data/types';
import { nameOf, placeOf } from '../../model/format';

export class Labels {
  private readonly names: (string | undefined)[] = [];
  private readonly widths: number[] = [];

  constructor(
    private readonly tables: Tables,
    private readonly measure: (text: string) => number,
  ) {}

  name(fn: number): string {
    return (this.names[fn] ??= nameOf(this.tables, fn));
  }

  place(fn: number): string {
    return placeOf(this.tables, fn);
  }

  // What of the name fits into so many pixels; empty: nothing worth reading.
  fitting(fn: number, room: number): string {
    const name = this.name(fn);
    const width = (this.widths[fn] ??= this.measure(name));
    if (width <= room) return name;
    const characters = Math.floor((name.length * room) / width) - 1;
    return characters < 2 ? '' : `${cutAt(name, characters)}…`;
  }

  // The name's width; after `fitting` was asked for it.
  width(fn: number): number {
    return this.widths[fn] ?? 0;
  }
}

// Half of a surrogate pair is no character.
function cutAt(text: string, length: number): string {
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}
