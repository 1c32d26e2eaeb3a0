// What stands out: a figure, a sentence, its evidence, and the screen that shows it.
import { linkTo } from '../../app/address';
import { SCREENS } from '../../app/screens';
import { NONE, type Finding, type Tables } from '../../data/types';

const MOST = 5;

// Built-in functions have no source; who calls them is the next question.
function screenOf(finding: Finding, tables: Tables): string {
  const hasNoSource = finding.function !== null && tables.functions.file[finding.function] === NONE;
  return finding.screen === 'source' && hasNoSource ? 'functions' : finding.screen;
}

function FindingRow(props: { finding: Finding; tables: Tables }) {
  const { finding } = props;
  const wanted = screenOf(finding, props.tables);
  const screen = SCREENS.find((each) => each.id === wanted && each.id !== 'overview');
  return (
    <li class={`finding ${finding.kind}`}>
      <div class="big">{finding.big || (finding.kind === 'warning' ? '!' : '')}</div>
      <div>
        <p>{finding.sentence}</p>
        <small>
          {finding.kind === 'warning' && <span class="badge">about the data</span>}
          {finding.evidence && <span>{finding.evidence}</span>}
          {screen && (
            <a
              href={linkTo(screen.id, { function: finding.function, line: finding.line || null, file: null })}
            >
              {screen.title} →
            </a>
          )}
        </small>
      </div>
    </li>
  );
}

export function Findings(props: { findings: readonly Finding[]; tables: Tables }) {
  const { findings } = props;
  return (
    <section class="card">
      <h2>Findings</h2>
      {findings.length === 0 ? (
        <p class="none">Nothing stands out from the noise.</p>
      ) : (
        <ul class="findings">
          {findings.slice(0, MOST).map((finding, i) => (
            <FindingRow key={`${finding.id} ${i}`} finding={finding} tables={props.tables} />
          ))}
        </ul>
      )}
      {findings.length > MOST && <p class="none">{findings.length - MOST} smaller ones are not shown.</p>}
    </section>
  );
}
