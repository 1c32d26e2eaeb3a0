// The ranks of a job: what their time went into, where they wait for each other, where they differ.
import { linkTo, setParams } from '../../app/address';
import { isScoped, scope } from '../../app/scope';
import { summary, tables } from '../../app/store';
import type { ParallelJob } from '../../data/parallel_job';
import type { Tables } from '../../data/types';
import { formatCount } from '../../model/format';
import { saveCsv } from '../../parts/download';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { processesName, processWithHost, processWord } from '../../parts/process_names';
import { Picker, Segmented } from '../../parts/segmented';
import { RankBarsPicture } from './bars';
import { Figures } from './figures';
import { FunctionsByRank } from './functions_by_rank';
import { describeBalance } from './headline';
import { barOrder, panel, parallelJob, type RanksPanel } from './job';
import { load, rankValues } from './load';
import { MpiTable } from './mpi_table';
import type { BarOrder } from './rank_bars';
import { jobRankRows, JobRanksTable } from './ranks_table';
import { indexOfLargest } from './statistics';
import { UnevenTable } from './uneven_table';
import './ranks.css';

const BARS_HEIGHT = 120;

// "Wall time" becomes "wall time", "CPU time" stays.
function inSentence(label: string): string {
  return label.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());
}

// Useful time where ranks are known, else what tells work best.
function balanceWords(table: Tables, job: ParallelJob | null) {
  if (job) {
    const { ranks } = job;
    const busiest = processWithHost(table, ranks.process[indexOfLargest(ranks.useful)]);
    return describeBalance(ranks.useful, busiest, 'rank', 'useful time');
  }
  const found = load.value.value;
  if (!found?.whole) return null;
  const busiest = processWithHost(table, found.process[indexOfLargest(found.whole)]);
  return describeBalance(found.whole, busiest, processWord(table), inSentence(found.metric.label));
}

function Headline(props: { tables: Tables; job: ParallelJob | null }) {
  const { tables: table, job } = props;
  const words = balanceWords(table, job);
  const hosts = job?.hosts.length ?? new Set(table.processes.host).size;
  const count = job?.ranks.count ?? table.processes.count;
  const missing = job && job.worldSize > count ? ` of ${formatCount(job.worldSize)}` : '';
  const plural = processWord(table) === 'rank' ? 'ranks' : 'processes';
  const many = `${formatCount(count)}${missing} ${plural} on ${formatCount(hosts)} ${hosts === 1 ? 'host' : 'hosts'}`;
  return (
    <header>
      <h1>{words?.title ?? many}</h1>
      <p class="sub">{words ? `${job ? '' : words.figure}${words.text} ${many}.` : ''}</p>
    </header>
  );
}

function ScopeNote(props: { tables: Tables }) {
  const chosen = scope.value.processes;
  if (!isScoped.value) return null;
  return (
    <p class="note">
      {chosen
        ? `All other screens now show ${processesName(props.tables, chosen)} only: `
        : 'This screen always shows the whole run; the restriction holds for the others: '}
      <a href={linkTo('flame')}>flame</a>, <a href={linkTo('functions')}>functions</a>,{' '}
      <a href={linkTo('timeline')}>timeline</a>.
    </p>
  );
}

function Job(props: { job: ParallelJob; tables: Tables }) {
  const { job } = props;
  return (
    <section class="job" aria-label="What the time of the ranks went into">
      <Figures job={job} />
      <RankBarsPicture job={job} tables={props.tables} order={barOrder.value} plotHeight={BARS_HEIGHT}>
        <span class="of">
          <Picker<BarOrder>
            label="Order of the bars"
            value={barOrder.value}
            choices={[
              { value: 'number', label: 'by number' },
              { value: 'useful', label: 'most useful first' },
              { value: 'wait', label: 'most waiting first' },
            ]}
            onChange={(value) => setParams({ 'ranks-sort': value === 'number' ? null : value })}
          />
        </span>
      </RankBarsPicture>
    </section>
  );
}

function Panels(props: { job: ParallelJob; tables: Tables }) {
  const { job } = props;
  const uneven = job.uneven.matters.reduce((sum, each) => sum + each, 0);
  return (
    <div class="toolbar panels">
      <Segmented<RanksPanel>
        label="Below"
        value={panel.value}
        choices={[
          { value: 'functions', label: 'Functions by rank' },
          { value: 'uneven', label: `Uneven functions (${formatCount(uneven)})` },
          { value: 'mpi', label: `MPI calls (${formatCount(job.calls.count)})` },
          { value: 'ranks', label: 'Ranks' },
        ]}
        onChange={(value) => setParams({ 'ranks-panel': value === 'functions' ? null : value })}
      />
      {panel.value === 'ranks' && (
        <button
          type="button"
          class="end"
          onClick={() => saveCsv(jobRankRows(job, props.tables), 'ranks.csv')}
        >
          Save as CSV
        </button>
      )}
    </div>
  );
}

function Functions(props: { tables: Tables }) {
  const found = rankValues.value.value;
  const error = rankValues.error.value;
  if (error !== '') return <Failure message={error} />;
  if (!found) return <Loading what="Comparing the ranks" />;
  return <FunctionsByRank ranks={found.ranks} metric={found.metric} tables={props.tables} />;
}

function NothingToCompare() {
  return (
    <Empty title="One process, so there is nothing to compare">
      <p>
        This screen shows how the ranks of a parallel program share the work. Record all ranks into one run,
        and open that:
      </p>
      <Command text={'mpirun -n 4 pyrometer run script.py\npyrometer view pyrometer-script-1'} />
      <p>
        Profiles of ranks that another tool wrote become one with <code>pyrometer merge</code>.
      </p>
    </Empty>
  );
}

export function RanksScreen() {
  const table = tables.value.value;
  const job = parallelJob.value.value;
  if (!table || !summary.value.value) return null;
  if (table.processes.count < 2) return <NothingToCompare />;
  const fault = parallelJob.error.value;
  const shown = job ? panel.value : 'functions';
  return (
    <div class="ranks">
      <Headline tables={table} job={job} />
      <ScopeNote tables={table} />
      {fault !== '' && <p class="note">{fault}</p>}
      {parallelJob.isLoading.value && !job && <Loading what="Comparing the ranks" />}
      {job && <Job job={job} tables={table} />}
      {job && <Panels job={job} tables={table} />}
      {shown === 'functions' && <Functions tables={table} />}
      {job && shown === 'uneven' && <UnevenTable job={job} tables={table} />}
      {job && shown === 'mpi' && <MpiTable job={job} tables={table} />}
      {job && shown === 'ranks' && <JobRanksTable job={job} tables={table} />}
    </div>
  );
}
