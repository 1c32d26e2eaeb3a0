// The answers inside a page, found by what was asked for.
import { column, damaged, decodeColumns, type Columns } from './columns';
import type { Json } from './types';

export type Query = ReadonlyMap<string, string>;

interface Entry {
  readonly query: Query;
  readonly column: string;
  readonly isJson: boolean;
}

export interface Asked {
  readonly path: string; // "api/0/values"
  readonly query: Query;
}

export function parseRequest(text: string): Asked {
  const mark = text.indexOf('?');
  const path = mark < 0 ? text : text.slice(0, mark);
  const query = new Map(mark < 0 ? [] : new URLSearchParams(text.slice(mark + 1)));
  return { path, query };
}

export class PageAnswers {
  private readonly byPath = new Map<string, Entry[]>();
  private readonly decoded = new Map<string, unknown>(); // by column

  constructor(private readonly page: Columns) {
    const { answers } = page.meta;
    if (typeof answers !== 'object' || answers === null) throw damaged('the page names no answers');
    for (const [asked, told] of Object.entries(answers)) {
      const { path, query } = parseRequest(asked);
      const { column: name, type } = (told ?? {}) as { column?: unknown; type?: unknown };
      if (typeof name !== 'string') throw damaged(`the page has no column for ${asked}`);
      const entry: Entry = { query, column: name, isJson: type === 'json' };
      const known = this.byPath.get(path);
      if (known) known.push(entry);
      else this.byPath.set(path, [entry]);
    }
  }

  find(path: string, isRight: (query: Query) => boolean): Entry | null {
    return this.byPath.get(path)?.find((entry) => isRight(entry.query)) ?? null;
  }

  // The answer to exactly this, whatever the order in which it is said.
  findExactly({ path, query }: Asked): Entry | null {
    return this.find(path, (other) => {
      return other.size === query.size && [...query].every(([name, value]) => other.get(name) === value);
    });
  }

  json(entry: Entry): Json {
    return this.decode(entry, (bytes) => {
      try {
        return JSON.parse(new TextDecoder().decode(bytes)) as Json;
      } catch {
        throw damaged(`${entry.column} is not JSON`);
      }
    });
  }

  columns(entry: Entry): Columns {
    if (entry.isJson) throw damaged(`${entry.column} should have columns`);
    return this.decode(entry, decodeColumns);
  }

  private decode<T>(entry: Entry, decode: (bytes: Uint8Array) => T): T {
    const known = this.decoded.get(entry.column);
    if (known !== undefined) return known as T;
    const value = decode(column(this.page, entry.column, Uint8Array));
    this.decoded.set(entry.column, value);
    return value;
  }
}
