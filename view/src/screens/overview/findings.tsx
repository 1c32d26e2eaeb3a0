// What stands out: a figure, a sentence, its evidence, and the screen that shows it.
import { linkTo } from '../../app/address';
import { isScoped } from '../../app/scope';
import { SCREENS } from '../../app/screens';
import { Kind, NONE, type Finding, type Tables } from '../../data/types';
import { chooseFindings } from './choose';

const MOST = 5;

// Built-in and native functions have no source; who calls them is the next question.
function screenOf(finding: Finding, tables: Tables): string {
  const { kind, file } = tables.functions;
  const fn = finding.function;
  const hasNoSource = fn !== null && (file[fn] === NONE || kind[fn] !== (Kind.python as number));
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
  const { shown, others } = chooseFindings(props.findings, MOST);
  return (
    <section class="card">
      <h2>{isScoped.value ? 'Findings, of the whole run' : 'Findings'}</h2>
      {shown.length === 0 ? (
        <p class="none">Nothing stands out: the tables say it all.</p>
      ) : (
        <ul class="findings">
          {shown.map((finding) => (
            <FindingRow key={finding.sentence} finding={finding} tables={props.tables} />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <details>
          <summary>{others.length} more</summary>
          <ul class="findings">
            {others.map((finding) => (
              <FindingRow key={finding.sentence} finding={finding} tables={props.tables} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
