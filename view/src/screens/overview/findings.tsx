// What stands out: a figure, a sentence, its evidence, and the screen that shows it.
import { linkTo } from '../../app/address';
import { SCREENS } from '../../app/screens';
import type { Finding } from '../../data/types';

const MOST = 5;

function FindingRow(props: { finding: Finding }) {
  const { finding } = props;
  const screen = SCREENS.find((each) => each.id === finding.screen && each.id !== 'overview');
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

export function Findings(props: { findings: readonly Finding[] }) {
  const { findings } = props;
  return (
    <section class="card">
      <h2>Findings</h2>
      {findings.length === 0 ? (
        <p class="none">Nothing stands out from the noise.</p>
      ) : (
        <ul class="findings">
          {findings.slice(0, MOST).map((finding, i) => (
            <FindingRow key={`${finding.id} ${i}`} finding={finding} />
          ))}
        </ul>
      )}
      {findings.length > MOST && <p class="none">{findings.length - MOST} smaller ones are not shown.</p>}
    </section>
  );
}
