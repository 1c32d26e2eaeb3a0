// Of the selected line: whose it is, what it calls, and who calls its function.
import { linkTo } from '../../app/address';
import { isEstimated, recordedEdges, usesRecorded } from '../../app/function_values';
import { metric, summary, tree } from '../../app/store';
import type { Tables } from '../../data/types';
import { formatValue, nameOf, placeOf } from '../../model/format';
import { calleesOf } from '../../model/sandwich';
import type { CallTree } from '../../model/types';
import { calleesByEdges, callersByEdges } from '../functions/neighbours';
import { callsFromLine, callSitesOf, functionsAt, type CallSite } from './line_calls';
import { areLinesKnown } from './state';

const MOST_SITES = 12;

function Sites(props: { title: string; none: string; sites: readonly CallSite[]; tables: Tables }) {
  const { sites, tables } = props;
  return (
    <section>
      <h2>{props.title}</h2>
      {sites.length === 0 && <p class="none">{props.none}</p>}
      <ul>
        {sites.slice(0, MOST_SITES).map((site) => (
          <li key={`${site.function}:${site.line}`}>
            <a
              class="mono"
              href={linkTo('source', { function: site.function, line: site.line || null, file: null })}
            >
              {nameOf(tables, site.function)}
            </a>
            <small>{placeOf(tables, site.function, site.line || tables.functions.line[site.function])}</small>
            <span>{formatValue(site.total, metric.value?.unit ?? 'count')}</span>
          </li>
        ))}
      </ul>
      {sites.length > MOST_SITES && <p class="none">and {sites.length - MOST_SITES} more</p>}
    </section>
  );
}

const asSite = ({ function: fn, total }: { function: number; total: number }): CallSite => ({
  function: fn,
  line: 0,
  total,
});

// What the line calls and where its function is called, as exactly as it is known.
function findSites(paths: CallTree, tables: Tables, file: number, line: number, fn: number) {
  const edges = usesRecorded.value ? recordedEdges.value.value : null;
  if (edges) {
    return { from: calleesByEdges(edges, fn).map(asSite), to: callersByEdges(edges, fn).map(asSite) };
  }
  const from = areLinesKnown.value
    ? callsFromLine(paths, tables, file, line)
    : calleesOf(paths, fn).map(asSite);
  return { from, to: callSitesOf(paths, fn) };
}

export function LinePanel(props: { file: number; line: number; tables: Tables }) {
  const { file, line, tables } = props;
  const paths = tree.value;
  if (!paths || line === 0) return null;
  const [fn] = functionsAt(paths, tables, file, line);
  const hasCalls = summary.value.value?.has.paths || summary.value.value?.has.edges;
  const sites = fn === undefined || !hasCalls ? null : findSites(paths, tables, file, line, fn);
  const estimated = isEstimated.value ? ' (estimated)' : '';
  return (
    <section class="line-panel" aria-label={`Line ${line}`}>
      <div>
        <h2>Line {line}</h2>
        {fn === undefined ? (
          <p class="none">It belongs to no function that was recorded.</p>
        ) : (
          <>
            <p>
              in <b class="mono">{nameOf(tables, fn)}</b>
            </p>
            <p class="links">
              <a href={linkTo('functions', { function: fn })}>Functions</a>
              <a href={linkTo('flame', { function: fn })}>Flame</a>
              <a href={linkTo('graph', { function: fn })}>Call graph</a>
            </p>
          </>
        )}
      </div>
      {sites && (
        <>
          <Sites
            title={`${areLinesKnown.value ? 'This line' : nameOf(tables, fn)} calls${estimated}`}
            none="Nothing that was recorded."
            sites={sites.from}
            tables={tables}
          />
          <Sites
            title={`${nameOf(tables, fn)} is called by${estimated}`}
            none="Nothing that was recorded: it begins a thread or the program."
            sites={sites.to}
            tables={tables}
          />
        </>
      )}
    </section>
  );
}
