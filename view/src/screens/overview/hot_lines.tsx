// The hottest lines with their text, which comes a moment later.
import { computed } from '@preact/signals';
import { linkTo } from '../../app/address';
import { functionCosts, onlyLines, recordedLines } from '../../app/function_values';
import { barPieces } from '../../app/kind_bars';
import { lazyResource } from '../../app/lazy_resource';
import { metric, profileEntry, profileId, source, tables, tree } from '../../app/store';
import type { Tables } from '../../data/types';
import { formatShare, formatValue, nameOf, placeOf, shareOf, shorten, visible } from '../../model/format';
import { hottestOfLines } from '../../model/line_costs';
import { hottestLines } from '../../model/lines';
import { Bar } from '../../parts/bar';
import { shortPlace } from '../../parts/place';
import { splitLines } from '../source/highlight';

const MOST = 6;
const LONGEST = 90;

const hot = computed(() => {
  const table = tables.value.value;
  if (!table) return [];
  if (onlyLines.value !== null) {
    const lines = recordedLines.value.value;
    return lines ? hottestOfLines(lines, table, onlyLines.value, MOST) : [];
  }
  // Without positions inside functions, lines would only repeat the functions.
  if (!tree.value || !tree.value.line.some((line) => line > 0)) return [];
  return hottestLines(tree.value, table, MOST);
});

const hotFiles = computed(() => [...new Set(hot.value.map((each) => each.file))].join(','));

const texts = lazyResource(() => {
  const from = source.value;
  if (!from || !profileEntry.value || hotFiles.value === '') return null;
  const files = hotFiles.value.split(',').map(Number);
  const profile = profileId.value;
  const ask = (file: number) =>
    from.source(profile, file).then(
      ({ text }) => [file, text === null ? [] : splitLines(text)] as const,
      () => [file, []] as const, // without its text, a line is still named
    );
  return Promise.all(files.map(ask)).then((found) => new Map<number, readonly string[]>(found));
});

export function HotLines(props: { tables: Tables }) {
  const { tables: table } = props;
  const lines = hot.value;
  if (lines.length === 0) return null;
  const whole = functionCosts.value?.whole ?? 0;
  const unit = metric.value?.unit ?? 'count';
  return (
    <section class="card">
      <h2>Hottest lines</h2>
      <table class="hot-table lines">
        <colgroup>
          <col class="what" />
          <col class="how-much" />
          <col class="value" />
          <col class="share" />
          <col class="text" />
        </colgroup>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Line</th>
            <th scope="col">Bar</th>
            <th scope="col">Self</th>
            <th scope="col">Share</th>
            <th scope="col">Code</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((each) => {
            const text = texts.value.value?.get(each.file)?.[each.line - 1]?.trim() ?? '';
            return (
              <tr key={`${each.file}:${each.line}`}>
                <td>
                  <a
                    title={`${nameOf(table, each.function)}, ${placeOf(table, each.function, each.line)}`}
                    href={linkTo('source', { function: each.function, line: each.line, file: null })}
                  >
                    {shortPlace(placeOf(table, each.function, each.line))}
                  </a>
                </td>
                <td>
                  <Bar pieces={barPieces([], 0, each.self, lines[0].self)} />
                </td>
                <td class="n">{formatValue(each.self, unit)}</td>
                <td class="n">{formatShare(shareOf(each.self, whole))}</td>
                <td>
                  <code title={visible(text)}>
                    {text ? shorten(visible(text), LONGEST) : `in ${nameOf(table, each.function)}`}
                  </code>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}
