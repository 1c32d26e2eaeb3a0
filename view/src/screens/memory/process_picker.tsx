// Whose memory is shown: that of all processes, or of one.
import { scope, setScope } from '../../app/scope';
import type { Tables } from '../../data/types';
import { formatCount } from '../../model/format';
import { processesName, processName, processWord } from '../../parts/process_names';
import { Picker, type Choice } from '../../parts/segmented';

const MOST_CHOICES = 1000; // the others are chosen in the table of processes
const ALL = 'all';
const SOME = 'some';

export function ProcessPicker(props: { tables: Tables }) {
  const { tables } = props;
  const { count } = tables.processes;
  if (count < 2) return null;
  const chosen = scope.value.processes ?? [];
  const isListed = chosen.length === 1 && chosen[0] < Math.min(count, MOST_CHOICES);
  const choices: Choice<string>[] = [{ value: ALL, label: `all ${formatCount(count)} processes` }];
  if (chosen.length > 0 && !isListed) choices.push({ value: SOME, label: processesName(tables, chosen) });
  for (let row = 0; row < Math.min(count, MOST_CHOICES); ++row) {
    choices.push({ value: String(row), label: processName(tables, row) });
  }
  const value = chosen.length === 0 ? ALL : isListed ? String(chosen[0]) : SOME;
  return (
    <div class="toolbar memory-of">
      <Picker
        label="Memory of"
        value={value}
        choices={choices}
        onChange={(picked) => {
          if (picked !== SOME) setScope({ processes: picked === ALL ? [] : [Number(picked)] });
        }}
      />
      {count > MOST_CHOICES && (
        <span class="note">{`Any ${processWord(tables)}: double-click it below.`}</span>
      )}
    </div>
  );
}
