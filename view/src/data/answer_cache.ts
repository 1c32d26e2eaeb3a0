// Answers that were asked for before: those on their way are shared, the latest ones kept.

export interface Answer<T> {
  readonly value: T;
  readonly bytes: number; // what keeping it costs
}

interface Entry {
  readonly promise: Promise<unknown>;
  bytes: number;
}

export class AnswerCache {
  // In the order of their last use, oldest first.
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly mostBytes: number) {}

  get<T>(key: string, load: () => Promise<Answer<T>>): Promise<T> {
    const known = this.entries.get(key);
    if (known) {
      this.entries.delete(key);
      this.entries.set(key, known);
      return known.promise as Promise<T>;
    }
    const promise = load().then(
      (answer) => {
        if (this.entries.get(key) === entry) this.keep(entry, answer.bytes);
        return answer.value;
      },
      (error: unknown) => {
        // What failed may be asked for again.
        if (this.entries.get(key) === entry) this.entries.delete(key);
        throw error;
      },
    );
    const entry: Entry = { promise, bytes: 0 };
    this.entries.set(key, entry);
    return promise;
  }

  forget(isStale: (key: string) => boolean): void {
    for (const [key, entry] of this.entries) {
      if (isStale(key)) this.drop(key, entry);
    }
  }

  private keep(entry: Entry, bytes: number): void {
    entry.bytes = bytes;
    this.bytes += bytes;
    for (const [key, oldest] of this.entries) {
      if (this.bytes <= this.mostBytes) return;
      if (oldest !== entry && oldest.bytes > 0) this.drop(key, oldest);
    }
  }

  private drop(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }
}
