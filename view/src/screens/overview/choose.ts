// Which findings are shown where there is room for a few.
import type { Finding } from '../../data/types';

const MOST_WARNINGS = 2; // where there is something else to say

export interface Choice {
  readonly shown: readonly Finding[];
  readonly others: readonly Finding[];
}

// In their order, each sentence once; warnings about the data must not crowd out what burns.
export function chooseFindings(findings: readonly Finding[], most: number): Choice {
  const different = findings.filter(
    (finding, i) => findings.findIndex((each) => each.sentence === finding.sentence) === i,
  );
  const isWarning = (finding: Finding) => finding.kind === 'warning';
  const rest = different.filter((finding) => !isWarning(finding));
  const roomForWarnings = Math.max(MOST_WARNINGS, most - rest.length);
  const warnings = different.filter(isWarning).slice(0, roomForWarnings);
  const kept = new Set([...warnings, ...rest.slice(0, most - warnings.length)]);
  return {
    shown: different.filter((finding) => kept.has(finding)),
    others: different.filter((finding) => !kept.has(finding)),
  };
}
