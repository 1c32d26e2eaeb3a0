// A profile by requests and answers; where answers come from is left to those who extend this.
import type { Columns } from './columns';
import {
  decodeEdges,
  decodeFunctions,
  decodeLines,
  decodeRanks,
  decodeSamples,
  decodeTimeline,
  decodeValues,
  type TimedSamples,
} from './decode_answers';
import { decodeMemory, type MemoryOfRun } from './memory';
import { decodeParallel, type ParallelJob } from './parallel_job';
import { request, rowRanges, scopeQuery } from './requests';
import { makeTables } from './tables';
import type {
  DataSource,
  EdgeValues,
  FunctionValues,
  Json,
  LineValues,
  PathsOf,
  Profiles,
  RankValues,
  Scope,
  Source,
  Summary,
  Tables,
  TimelineValues,
} from './types';

export abstract class AnswerSource implements DataSource {
  abstract readonly isPage: boolean;

  // Each may fail with an Error whose message is a sentence.
  protected abstract json(request: string): Promise<Json>;
  protected abstract columns<T>(request: string, decode: (columns: Columns) => T): Promise<T>;

  abstract exportAddress(profile: number, format: string, metric: string): string | null;

  async profiles(): Promise<Profiles> {
    const answer = (await this.json(request('profiles'))) as Partial<Profiles> | null;
    if (!Array.isArray(answer?.profiles)) throw new Error('The answer names no profiles.');
    return answer as Profiles;
  }

  async summary(profile: number): Promise<Summary> {
    const answer = (await this.json(request(`${profile}/summary`))) as Partial<Summary> | null;
    if (!Array.isArray(answer?.metrics) || !answer.has) throw new Error('The summary is not complete.');
    return answer as Summary;
  }

  tables(profile: PathsOf): Promise<Tables> {
    return this.columns(request(`${profile}/tables`), makeTables);
  }

  async values(
    profile: PathsOf,
    metrics: readonly string[],
    scope: Scope,
  ): Promise<Map<string, Float64Array>> {
    if (metrics.length === 0) return new Map();
    const tables = await this.tables(profile);
    const asked = request(`${profile}/values`, { metric: metrics.join(','), ...scopeQuery(scope) });
    return this.columns(
      asked,
      (from) => new Map(metrics.map((metric) => [metric, decodeValues(from, metric, tables.nodes.count)])),
    );
  }

  async functions(profile: number, metric: string, scope: Scope): Promise<FunctionValues> {
    const tables = await this.tables(profile);
    const asked = request(`${profile}/functions`, { metric, ...scopeQuery(scope) });
    return this.columns(asked, (from) => decodeFunctions(from, tables));
  }

  async edges(profile: number, metric: string): Promise<EdgeValues> {
    const tables = await this.tables(profile);
    return this.columns(request(`${profile}/calls`, { metric }), (from) => decodeEdges(from, tables));
  }

  async lines(profile: number, scope: Scope): Promise<LineValues> {
    const tables = await this.tables(profile);
    return this.columns(request(`${profile}/lines`, scopeQuery(scope)), (from) => decodeLines(from, tables));
  }

  async source(profile: number, file: number): Promise<Source> {
    return (await this.json(request(`${profile}/source`, { file }))) as Source;
  }

  async ranks(profile: number, metric: string, by: 'self' | 'total', most: number): Promise<RankValues> {
    const tables = await this.tables(profile);
    const asked = request(`${profile}/ranks`, { metric, by, most });
    return this.columns(asked, (from) => decodeRanks(from, tables));
  }

  async parallel(profile: number): Promise<ParallelJob> {
    const tables = await this.tables(profile);
    return this.columns(request(`${profile}/parallel`), (from) => decodeParallel(from, tables));
  }

  async memory(profile: number, processes?: readonly number[]): Promise<MemoryOfRun> {
    const tables = await this.tables(profile);
    const asked = request(`${profile}/memory`, { processes: processes && rowRanges(processes) });
    return this.columns(asked, (from) => decodeMemory(from, tables));
  }

  async timeline(
    profile: number,
    by: 'thread' | 'process',
    buckets: number,
    scope: Scope,
  ): Promise<TimelineValues> {
    const tables = await this.tables(profile);
    const asked = request(`${profile}/timeline`, { by, buckets, ...scopeQuery(scope) });
    return this.columns(asked, (from) => decodeTimeline(from, tables, by));
  }

  async samples(profile: PathsOf, thread: number, metric: string, scope: Scope): Promise<TimedSamples> {
    const tables = await this.tables(profile);
    const asked = request(`${profile}/samples`, { thread, metric, from: scope.from, to: scope.to });
    return this.columns(asked, (from) => decodeSamples(from, tables, thread, metric));
  }

  diff(
    before: number,
    after: number,
    metric: string,
    by: 'functions' | 'lines',
    normalise: boolean,
  ): Promise<Json> {
    return this.json(request('diff', { before, after, metric, by, normalise: normalise ? 1 : 0 }));
  }

  scaling(metric: string, by: 'functions' | 'lines'): Promise<Json> {
    return this.json(request('scaling', { by, metric }));
  }
}
