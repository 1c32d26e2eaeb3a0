// Columns of one table of an answer, all of one length and checked against what they refer to.
import { column, damaged, numbers, type Columns } from './columns';
import { NONE } from './types';

export class TableReader {
  private length = -1;
  constructor(
    private readonly from: Columns,
    private readonly table: string,
  ) {}

  get count(): number {
    return Math.max(0, this.length);
  }

  rows(name: string, count: number, isOptional = false): Uint32Array {
    const found = this.checked(name, column(this.from, name, Uint32Array));
    for (const row of found) {
      if (row >= count && !(isOptional && row === NONE)) {
        throw damaged(`${name} refers to a row that does not exist`);
      }
    }
    return found;
  }
  whole(name: string): Uint32Array {
    return this.checked(name, column(this.from, name, Uint32Array));
  }
  signed(name: string): Int32Array {
    return this.checked(name, column(this.from, name, Int32Array));
  }
  flags(name: string): Uint8Array {
    return this.checked(name, column(this.from, name, Uint8Array));
  }
  values(name: string): Float64Array {
    return this.checked(name, numbers(this.from, name));
  }

  private checked<T extends { readonly length: number }>(name: string, found: T): T {
    if (this.length >= 0 && found.length !== this.length) {
      throw damaged(`${name} has not one value per row of ${this.table}`);
    }
    this.length = found.length;
    return found;
  }
}
