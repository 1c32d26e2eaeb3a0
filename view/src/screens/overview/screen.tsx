// The answer in thirty seconds: a sentence, where the time went, what stands out.
import { computed } from '@preact/signals';
import { functionCosts, functionFault, isEstimated, isWithoutValues } from '../../app/function_values';
import { NothingRecorded } from '../../app/nothing';
import { allKindsByFunction } from '../../app/kind_bars';
import { isScoped } from '../../app/scope';
import { metric, pathFilter, summary, tables } from '../../app/store';
import type { Share, Summary } from '../../data/types';
import { Failure } from '../../parts/empty';
import { Findings } from './findings';
import { HotFunctions } from './hot_functions';
import { HotLines } from './hot_lines';
import { SmallIcicle } from './icicle';
import { RankStrip } from './rank_strip';
import { ShareBar } from './share_bar';
import { sharesOf } from './shares';
import { Sparklines } from './sparklines';
import { qualityWords } from './words';
import './overview.css';

const scopedShares = computed<Share[]>(() => {
  const sum = (of: Float64Array) => of.reduce((a, b) => a + b, 0);
  return sharesOf(new Map(allKindsByFunction.value.map(({ kind, sums }) => [kind, sum(sums)])), 0);
});

function Shares(props: { summary: Summary }) {
  // What a path filter leaves is known in the metric of now.
  if (pathFilter.value !== '' && metric.value?.name !== 'wall') return null;
  if (isScoped.value || pathFilter.value !== '') {
    if (scopedShares.value.length === 0) return null;
    return <ShareBar shares={scopedShares.value} ofWhat="in the scope above" />;
  }
  if (props.summary.shares.length === 0) return null;
  return <ShareBar shares={props.summary.shares} ofWhat="of the whole run, all threads" />;
}

function Footer(props: { summary: Summary }) {
  return (
    <footer class="quality">
      <p>{qualityWords(props.summary).join(' ')}</p>
      {props.summary.notes.length > 0 && (
        <ul>
          {props.summary.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </footer>
  );
}

export function OverviewScreen() {
  const known = summary.value.value;
  const table = tables.value.value;
  if (!known || !table) return null;
  const hasOther = known.has.counters || known.has.regions;
  const hasNothing = isWithoutValues.value || functionCosts.value?.function.length === 0;
  return (
    <div class="overview">
      <h1>{known.title || 'A profile without a summary'}</h1>
      <p class="facts">{known.facts.join(' · ')}</p>
      {functionFault.value && <Failure message={functionFault.value} />}
      <Shares summary={known} />
      {hasNothing && !hasOther && <NothingRecorded />}
      <div class="cards">
        <div>
          <Findings findings={known.findings} tables={table} />
          <Sparklines />
        </div>
        <div>
          {!hasNothing && <HotFunctions tables={table} />}
          <RankStrip tables={table} />
        </div>
      </div>
      {!hasNothing && !isEstimated.value && <HotLines tables={table} />}
      {!hasNothing && known.has.paths && <SmallIcicle tables={table} />}
      <Footer summary={known} />
    </div>
  );
}
