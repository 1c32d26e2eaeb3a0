// A profile that `pyrometer view` serves.
import { AnswerCache, type Answer } from './answer_cache';
import { AnswerSource } from './answer_source';
import { decodeColumns, type Columns } from './columns';
import { request } from './requests';
import type { Json, Profiles } from './types';

const MOST_CACHED = 96e6; // bytes; the values of a million nodes are eight

export class ServerSource extends AnswerSource {
  readonly isPage = false;
  private readonly cache = new AnswerCache(MOST_CACHED);
  private generations: readonly number[] = [];

  private readonly base: string;

  // `base`: where the page lies, ending with a slash, or empty.
  constructor(base: string | URL) {
    super();
    this.base = String(base);
  }

  // Never from the cache: this is what tells that a live profile has grown.
  override async profiles(): Promise<Profiles> {
    const found = await super.profiles();
    const known = this.generations;
    this.generations = found.profiles.map((profile) => profile.generation);
    const hasGrown = (profile: number) => this.generations[profile] !== known[profile];
    this.cache.forget((key) => {
      const profile = profileOf(key);
      return profile === null ? this.generations.some((_, i) => hasGrown(i)) : hasGrown(profile);
    });
    return found;
  }

  exportAddress(profile: number, format: string, metric: string): string {
    return this.base + request(`${profile}/export`, { format, metric });
  }

  protected json(asked: string): Promise<Json> {
    if (asked === request('profiles')) return this.fetch(asked).then((response) => readJson(response));
    return this.cache.get(asked, async () => {
      const text = await read(await this.fetch(asked), (response) => response.text());
      return { value: parseJson(text), bytes: 2 * text.length };
    });
  }

  protected columns<T>(asked: string, decode: (columns: Columns) => T): Promise<T> {
    return this.cache.get(asked, async (): Promise<Answer<T>> => {
      const buffer = await read(await this.fetch(asked), (response) => response.arrayBuffer());
      return { value: decode(decodeColumns(buffer)), bytes: buffer.byteLength };
    });
  }

  private async fetch(asked: string): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.base + asked, { cache: 'no-store' });
    } catch {
      throw gone();
    }
    if (!response.ok) throw new Error(await explain(response));
    return response;
  }
}

// "api/3/values?…" is about profile 3, "api/diff?…" about several.
function profileOf(asked: string): number | null {
  const found = /^api\/(\d+)\//.exec(asked);
  return found ? Number(found[1]) : null;
}

function gone(): Error {
  return new Error(
    'Pyrometer no longer answers: the command that opened this page has ended, or the tunnel is closed.',
  );
}

// The connection may break while the answer is on its way.
async function read<T>(response: Response, take: (response: Response) => Promise<T>): Promise<T> {
  try {
    return await take(response);
  } catch {
    throw gone();
  }
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new Error('Pyrometer gave an answer that cannot be read.');
  }
}

async function readJson(response: Response): Promise<Json> {
  return parseJson(await read(response, (each) => each.text()));
}

async function explain(response: Response): Promise<string> {
  try {
    const answer = (await response.json()) as { error?: unknown } | null;
    if (typeof answer?.error === 'string' && answer.error !== '') return answer.error;
  } catch {
    // Not from Pyrometer: a proxy, or another server on the same port.
  }
  return `The server refused with status ${response.status}.`;
}
