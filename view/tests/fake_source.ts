// A source of made-up data for tests of screens: what is not given is refused with a sentence.
import type { DataSource, Has, Metric, Profiles, Summary, Tables } from '../src/data/types';

export function makeSummary(metrics: readonly Metric[], has: Partial<Has> = {}): Summary {
  return {
    title: 'A made-up profile',
    facts: [],
    metrics,
    main_metric: metrics[0]?.name ?? '',
    shares: [],
    findings: [],
    quality: { samples: 0, rejected: 0, lost: 0, rate: null, cost: null, error: null },
    notes: [],
    processes: 1,
    threads: 1,
    duration: 1,
    start: 0,
    finished: true,
    sampled: true,
    estimated: false,
    has: {
      paths: true,
      edges: false,
      threads: true,
      time: false,
      lines: false,
      ranks: false,
      memory: false,
      waits: false,
      counters: false,
      regions: false,
      region_paths: false,
      ...has,
    },
  };
}

export function makeMetric(name: string, unit: Metric['unit'] = 'ns', total = 1): Metric {
  return { name, label: `${name[0].toUpperCase()}${name.slice(1)} time`, unit, combine: 'sum', total };
}

function makeProfiles(count: number): Profiles {
  return {
    schema_version: 1,
    version: '0',
    profiles: Array.from({ length: count }, (_, id) => ({
      id,
      name: `run-${id}`,
      live: false,
      generation: 1,
    })),
  };
}

export function makeSource(
  summary: Summary,
  tables: Tables,
  answers: Partial<DataSource> = {},
  profiles = 1,
): DataSource {
  const refuse = (what: string) => () => Promise.reject(new Error(`This profile has no ${what}.`));
  return {
    isPage: false,
    profiles: () => Promise.resolve(makeProfiles(profiles)),
    summary: () => Promise.resolve(summary),
    tables: () => Promise.resolve(tables),
    values: (_, metrics) =>
      Promise.resolve(new Map(metrics.map((name) => [name, new Float64Array(tables.nodes.count)]))),
    functions: refuse('functions'),
    edges: refuse('edges'),
    lines: refuse('lines'),
    source: refuse('source'),
    ranks: refuse('ranks'),
    parallel: refuse('ranks of a parallel job'),
    memory: refuse('memory'),
    timeline: refuse('timeline'),
    samples: refuse('samples'),
    diff: refuse('comparison'),
    scaling: refuse('scaling study'),
    exportAddress: () => null,
    ...answers,
  };
}
