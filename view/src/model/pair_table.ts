// Numbers pairs of numbers from 0 on, in the order of their first appearance. An open-addressing hash
// on typed arrays: a million pairs are usual, for which a Map takes seconds.

const FEWEST = 16;
const NEAR = 16; // slots, a cache line

export class PairTable {
  count = 0;
  first: Uint32Array; // by row
  second: Uint32Array;
  private slots: Int32Array; // row + 1; 0: empty

  // `isNear`: pairs with the same or neighbouring first numbers come soon after each other, as in trees.
  // They are then put beside each other, which the caches of the processor reward fourfold.
  constructor(
    expected = 0,
    private readonly isNear = false,
  ) {
    const capacity = Math.max(FEWEST, expected);
    this.first = new Uint32Array(capacity);
    this.second = new Uint32Array(capacity);
    this.slots = new Int32Array(slotsFor(capacity));
  }

  // The row of the pair; a new one if it was not there.
  put(first: number, second: number): number {
    const slot = this.slotOf(first, second);
    const known = this.slots[slot] - 1;
    if (known >= 0) return known;
    const row = this.count;
    if (row === this.first.length) {
      this.grow();
      return this.put(first, second);
    }
    this.first[row] = first;
    this.second[row] = second;
    this.slots[slot] = ++this.count;
    return row;
  }

  // Where the pair is, or where it would be put.
  private slotOf(first: number, second: number): number {
    const mask = this.slots.length - 1;
    if (this.isNear) {
      const line = 2 * first;
      const start = Math.imul(second, 0x9e3779b1) >>> 28;
      for (let at = 0; at < NEAR / 2; ++at) {
        const slot = (line + ((start + at) & (NEAR - 1))) & mask;
        if (this.isHere(slot, first, second)) return slot;
      }
    }
    // Anywhere: a first number may have a million seconds.
    let slot = hash(first, second) & mask;
    while (!this.isHere(slot, first, second)) slot = (slot + 1) & mask;
    return slot;
  }

  private isHere(slot: number, first: number, second: number): boolean {
    const row = this.slots[slot] - 1;
    return row < 0 || (this.first[row] === first && this.second[row] === second);
  }

  private grow(): void {
    const capacity = 2 * this.first.length;
    this.first = copyInto(new Uint32Array(capacity), this.first);
    this.second = copyInto(new Uint32Array(capacity), this.second);
    this.slots = new Int32Array(slotsFor(capacity));
    for (let row = 0; row < this.count; ++row) {
      this.slots[this.slotOf(this.first[row], this.second[row])] = row + 1;
    }
  }
}

// At most half of the slots are taken.
function slotsFor(capacity: number): number {
  return 2 ** Math.ceil(Math.log2(2 * capacity));
}

function hash(first: number, second: number): number {
  let mixed = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return mixed ^ (mixed >>> 13);
}

function copyInto(to: Uint32Array, from: Uint32Array): Uint32Array {
  to.set(from);
  return to;
}
