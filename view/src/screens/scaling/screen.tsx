// How the program scales over runs with different counts of processes, and what keeps it from it.
import { computed } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { param, screenId, setParams } from '../../app/address';
import { resource } from '../../app/resource';
import { metric, profiles, search, source } from '../../app/store';
import { parseSearch } from '../../model/search';
import { saveCsv } from '../../parts/download';
import { Command, Empty, Failure, Loading } from '../../parts/empty';
import { matchesTexts } from '../../parts/search_texts';
import { Segmented } from '../../parts/segmented';
import { MOST_CURVES, ScalingCharts } from './scaling_charts';
import { byLoss, readScaling, type Scaling } from './scaling_data';
import { scalingCsv, ScalingTable } from './scaling_table';
import { scalingText, scalingTitle } from './scaling_words';
import './scaling.css';

const by = computed(() => (param('scaling-by').value === 'lines' ? 'lines' : 'functions'));
const isPossible = computed(() => (profiles.value.value?.profiles.length ?? 0) > 1);

const study = resource(() => {
  const [from, wanted] = [source.value, metric.value];
  void profiles.value.value; // a live profile may have grown
  if (screenId.value !== 'scaling' || !isPossible.value || !from || !wanted) return null;
  return from.scaling(wanted.name, by.value).then(readScaling);
});

function HowToRecord() {
  return (
    <>
      <p>Record the program with several counts of processes and open all runs at once:</p>
      <Command
        text={
          'mpirun -n 2 pyrometer run -o RUN-2 script.py\n' +
          'mpirun -n 4 pyrometer run -o RUN-4 script.py\n' +
          'mpirun -n 8 pyrometer run -o RUN-8 script.py\n' +
          'pyrometer view RUN-2 RUN-4 RUN-8'
        }
      />
    </>
  );
}

function Study(props: { study: Scaling }) {
  const words = search.value;
  const rows = useMemo(() => {
    const wanted = parseSearch(words);
    return byLoss(props.study.rows).filter((row) => matchesTexts(wanted, [row.name, row.place, row.source]));
  }, [props.study, words]);
  const [selected, setSelected] = useState(-1);
  // What loses the most, and what is selected.
  const charted = rows.slice(0, MOST_CURVES - 2);
  if (selected >= charted.length && selected < rows.length) charted.push(rows[selected]);
  return (
    <>
      <h1>{scalingTitle(props.study)}</h1>
      <p class="sub">
        {`${scalingText(props.study)} Times are those of ${props.study.isSlowestRank ? 'the slowest rank' : 'all ranks together'}.`}
      </p>
      <ScalingCharts study={props.study} rows={charted} />
      <div class="toolbar">
        <Segmented
          label="Rows"
          value={by.value}
          choices={[
            { value: 'functions', label: 'Functions' },
            { value: 'lines', label: 'Lines' },
          ]}
          onChange={(value) => setParams({ 'scaling-by': value === 'lines' ? value : null })}
        />
        <span>Figures are of the largest count; select a row to see its curve.</span>
        <span class="end" />
        <button type="button" onClick={() => saveCsv(scalingCsv(props.study, rows), 'scaling.csv')}>
          Save CSV
        </button>
      </div>
      {rows.length === 0 && props.study.rows.length > 0 && <p>No row matches the search.</p>}
      <ScalingTable study={props.study} rows={rows} selected={selected} onSelect={setSelected} />
    </>
  );
}

export function ScalingScreen() {
  if (!isPossible.value) {
    return (
      <Empty title="One run does not tell how a program scales">
        <HowToRecord />
      </Empty>
    );
  }
  const error = study.error.value;
  if (error !== '') {
    return (
      <>
        <Failure message={error} />
        <Empty title="These profiles cannot be compared over counts of processes">
          {by.value === 'lines' && (
            <p>
              <button type="button" class="link" onClick={() => setParams({ 'scaling-by': null })}>
                Show functions instead of lines
              </button>
            </p>
          )}
          <HowToRecord />
        </Empty>
      </>
    );
  }
  const found = study.value.value;
  return found ? <Study key={by.value} study={found} /> : <Loading what="Comparing the runs" />;
}
