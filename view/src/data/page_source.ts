// A profile inside the page itself: no server, no request. What was not put into the page is worked
// out of what was, or refused with the command that shows it.
import { makeCallTree } from '../model/call_tree';
import { makeFunctionRows } from '../model/functions';
import { AnswerSource } from './answer_source';
import { damaged, type Columns } from './columns';
import {
  decodeRanks,
  decodeSamples,
  decodeTimeline,
  decodeValues,
  type TimedSamples,
} from './decode_answers';
import { collapsedFile, speedscopeFile, type ThreadValues } from './export_files';
import { PageAnswers, parseRequest, type Query } from './page_answers';
import { readPageData } from './page_data';
import { cutTimeline, threadsInScope } from './page_timeline';
import type { MemoryOfRun } from './memory';
import { hasScope, request, rowRanges } from './requests';
import { cutSamples, isInTime, makeWindows } from './time_windows';
import type {
  FunctionValues,
  Json,
  Metric,
  PathsOf,
  RankValues,
  Regions,
  Scope,
  Source,
  Tables,
  TimelineValues,
} from './types';

export async function findPageData(page: Document): Promise<PageSource | null> {
  const data = await readPageData(page);
  return data && new PageSource(data);
}

const SCOPE_WORDS = ['threads', 'processes', 'from', 'to', 'region'];

export class PageSource extends AnswerSource {
  readonly isPage = true;
  private readonly answers: PageAnswers;
  private readonly decoded = new Map<string, unknown>(); // by request

  constructor(data: Columns) {
    super();
    this.answers = new PageAnswers(data);
  }

  protected async json(asked: string): Promise<Json> {
    const entry = this.answers.findExactly(parseRequest(asked));
    if (!entry) throw await this.lacks(wordsOf(asked));
    return this.answers.json(entry);
  }

  protected async columns<T>(asked: string, decode: (columns: Columns) => T): Promise<T> {
    const known = this.decoded.get(asked);
    if (known !== undefined) return known as T;
    const entry = this.answers.findExactly(parseRequest(asked));
    if (!entry) throw await this.lacks(wordsOf(asked));
    const value = decode(this.answers.columns(entry));
    this.decoded.set(asked, value);
    return value;
  }

  override async values(
    profile: PathsOf,
    metrics: readonly string[],
    scope: Scope,
  ): Promise<Map<string, Float64Array>> {
    const tables = await this.tables(profile);
    const summary = await this.summary(rowOf(profile));
    const found = new Map<string, Float64Array>();
    for (const metric of metrics) {
      const described = summary.metrics.find((each) => each.name === metric);
      found.set(metric, await this.valuesOf(profile, tables, metric, scope, described));
    }
    return found;
  }

  private async valuesOf(
    profile: PathsOf,
    tables: Tables,
    metric: string,
    scope: Scope,
    described: Metric | undefined,
  ): Promise<Float64Array> {
    // What no node has a value of is not put into the page.
    if (described && !this.findValues(profile, metric, null)) return new Float64Array(tables.nodes.count);
    const threads = threadsInScope(tables, scope);
    const isWhole = !hasScope(scope) || (!isInTime(scope) && threads.length === tables.threads.count);
    if (isWhole) return this.recordedValues(profile, tables, metric, null);
    const isMaximum = described?.combine === 'max';
    const sum = new Float64Array(tables.nodes.count);
    const add = (node: number, value: number) => {
      sum[node] = isMaximum ? Math.max(sum[node], value) : sum[node] + value;
    };
    if (isInTime(scope)) {
      for (const samples of await this.samplesIn(profile, tables, threads, metric, scope)) {
        for (let i = 0; i < samples.node.length; ++i) add(samples.node[i], samples.weight[i]);
      }
      // Times are whole nanoseconds, everywhere.
      return sum.map(Math.round);
    }
    for (const thread of threads) {
      (await this.recordedValues(profile, tables, metric, thread)).forEach((value, node) => {
        if (value !== 0) add(node, value);
      });
    }
    return sum;
  }

  // Of everything, or of one thread.
  private async recordedValues(
    profile: PathsOf,
    tables: Tables,
    metric: string,
    thread: number | null,
  ): Promise<Float64Array> {
    const entry = this.findValues(profile, metric, thread);
    if (entry) return decodeValues(this.answers.columns(entry), metric, tables.nodes.count);
    throw await this.lacks(
      thread === null ? `values of “${metric}”` : `values of “${metric}” for each thread`,
    );
  }

  private findValues(profile: PathsOf, metric: string, thread: number | null) {
    return this.answers.find(request(`${profile}/values`), (query) => {
      const isScope = thread === null ? isUnscoped(query) : query.get('threads') === String(thread);
      return isScope && (query.get('metric') ?? '').split(',').includes(metric);
    });
  }

  private async samplesIn(
    profile: PathsOf,
    tables: Tables,
    threads: readonly number[],
    metric: string,
    scope: Scope,
  ): Promise<TimedSamples[]> {
    const regions = scope.region === undefined ? null : await this.regions(rowOf(profile), tables);
    const found = [];
    let isKnown = false;
    for (const thread of threads) {
      const entry = this.answers.find(
        request(`${profile}/samples`),
        (query) => query.get('thread') === String(thread),
      );
      if (!entry) continue;
      isKnown = true;
      const columns = this.answers.columns(entry);
      if (!columns.columns.has(`weight:${metric}`)) {
        throw new Error(`This page knows “${metric}” only for the whole run, not for a part of its time.`);
      }
      const samples = decodeSamples(columns, tables, thread, metric);
      found.push(cutSamples(samples, makeWindows(scope, regions, thread)));
    }
    if (!isKnown && threads.length > 0) throw await this.lacks('samples in time');
    return found;
  }

  private async regions(profile: number, tables: Tables): Promise<Regions> {
    const { regions } = await this.wholeTimeline(profile, tables, 'thread');
    return regions;
  }

  // Pages may be written without sources.
  override async source(profile: number, file: number): Promise<Source> {
    const asked = request(`${profile}/source`, { file });
    if (this.answers.findExactly(parseRequest(asked))) return super.source(profile, file);
    const { files, texts } = await this.tables(profile);
    return { path: texts.get(files.path[file]), text: null, from: 'none' };
  }

  // Recorded for everything; in a scope only what the call paths tell.
  override async functions(profile: number, metric: string, scope: Scope): Promise<FunctionValues> {
    if (!hasScope(scope)) return super.functions(profile, metric, scope);
    const tables = await this.tables(profile);
    const values = await this.values(profile, [metric], scope);
    const rows = makeFunctionRows(makeCallTree(tables, values.get(metric)!));
    const unknown = new Float64Array(rows.function.length);
    return {
      function: rows.function,
      self: rows.self,
      total: rows.total,
      calls: unknown,
      primitive: unknown,
    };
  }

  override async ranks(
    profile: number,
    metric: string,
    by: 'self' | 'total',
    most: number,
  ): Promise<RankValues> {
    const tables = await this.tables(profile);
    const entry = this.answers.find(
      request(`${profile}/ranks`),
      (query) => query.get('metric') === metric && (query.get('by') ?? 'self') === by,
    );
    if (!entry) throw await this.lacks(`comparison of processes by “${metric}”`);
    const all = decodeRanks(this.answers.columns(entry), tables);
    if (all.function.length <= most) return all;
    return {
      process: all.process,
      function: all.function.subarray(0, most),
      value: all.value.subarray(0, most * all.process.length),
      minimum: all.minimum.subarray(0, most),
      median: all.median.subarray(0, most),
      maximum: all.maximum.subarray(0, most),
      mean: all.mean.subarray(0, most),
      deviation: all.deviation.subarray(0, most),
    };
  }

  override async timeline(
    profile: number,
    by: 'thread' | 'process',
    _buckets: number,
    scope: Scope,
  ): Promise<TimelineValues> {
    const tables = await this.tables(profile);
    return cutTimeline(await this.wholeTimeline(profile, tables, by), tables, scope);
  }

  private async wholeTimeline(
    profile: number,
    tables: Tables,
    by: 'thread' | 'process',
  ): Promise<TimelineValues> {
    const entry = this.answers.find(
      request(`${profile}/timeline`),
      (query) => (query.get('by') ?? 'thread') === by && isUnscoped(query),
    );
    if (!entry) throw await this.lacks(`timeline by ${by}`);
    return decodeTimeline(this.answers.columns(entry), tables, by);
  }

  override async samples(
    profile: PathsOf,
    thread: number,
    metric: string,
    scope: Scope,
  ): Promise<TimedSamples> {
    const tables = await this.tables(profile);
    const [samples] = await this.samplesIn(profile, tables, [thread], metric, {
      ...(scope.from !== undefined && { from: scope.from }),
      ...(scope.to !== undefined && { to: scope.to }),
    });
    return samples;
  }

  // A page has no address for files of other tools; those that it can write itself are exportFile's.
  exportAddress(): null {
    return null;
  }

  canExport(format: string): boolean {
    return format === 'speedscope' || format === 'collapsed';
  }

  async exportFile(profile: number, format: string, metric: string): Promise<File> {
    const tables = await this.tables(profile);
    const summary = await this.summary(profile);
    const unit = summary.metrics.find((each) => each.name === metric)?.unit ?? 'count';
    const whole = await this.recordedValues(profile, tables, metric, null);
    if (format === 'collapsed') return collapsedFile(tables, whole, unit);
    if (format === 'speedscope') {
      return speedscopeFile(tables, await this.byThread(profile, tables, metric, whole), unit);
    }
    throw await this.lacks(`writer of ${format} files`);
  }

  private async byThread(
    profile: number,
    tables: Tables,
    metric: string,
    whole: Float64Array,
  ): Promise<ThreadValues[]> {
    try {
      const threads = [];
      for (let thread = 0; thread < tables.threads.count; ++thread) {
        threads.push({ thread, self: await this.recordedValues(profile, tables, metric, thread) });
      }
      if (threads.length > 0) return threads;
    } catch {
      // Left out of the page, because they would have been too many.
    }
    return [{ thread: null, self: whole }];
  }

  override async memory(profile: number, processes?: readonly number[]): Promise<MemoryOfRun> {
    const asked = request(`${profile}/memory`, { processes: processes && rowRanges(processes) });
    const isHere = this.answers.findExactly(parseRequest(asked)) !== null;
    return super.memory(profile, isHere ? processes : undefined);
  }

  private async lacks(what: string): Promise<Error> {
    const entry = this.answers.findExactly(parseRequest(request('profiles')));
    if (!entry) return damaged('the page names no profiles');
    const { profiles } = await super.profiles();
    const names = profiles.map((profile) => profile.name).join(' ');
    return new Error(
      `This page holds no ${what}. To see it, open the profile itself: pyrometer view ${names}`,
    );
  }
}

// What a request is for, as the user would say it.
function wordsOf(asked: string): string {
  const name = parseRequest(asked).path.split('/').at(-1) ?? '';
  const words = new Map([
    ['profiles', 'list of profiles'],
    ['summary', 'summary'],
    ['tables', 'tables'],
    ['functions', 'recorded functions for this choice'],
    ['calls', 'recorded calls for this choice'],
    ['lines', 'measured lines for this choice'],
    ['parallel', 'comparison of ranks'],
    ['memory', 'memory of the run'],
    ['diff', 'comparison of these profiles'],
    ['scaling', 'comparison of these runs'],
  ]);
  return words.get(name) ?? `answer to ${asked}`;
}

// The profile itself, whichever paths of it are meant.
function rowOf(profile: PathsOf): number {
  return typeof profile === 'number' ? profile : Number.parseInt(profile, 10);
}

function isUnscoped(query: Query): boolean {
  return SCOPE_WORDS.every((word) => !query.has(word));
}
