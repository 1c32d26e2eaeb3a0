// Lines of code with what was measured on them. Only those in sight are in the document.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useScrollView } from '../../parts/use_scroll_view';
import { visible } from '../../model/format';
import { indexOfLine, type ShownLine } from './folding';
import { HeatStrip } from './heat_strip';
import type { Span } from './highlight';

export interface LineColumn {
  readonly id: string;
  readonly title: string;
  readonly hint: string;
  readonly width: number; // pixels
  readonly cell: (line: number) => ComponentChildren;
}

const LINE_HEIGHT = 20;
const SPARE_LINES = 10;
const LONGEST_LINE = 1000; // characters that are shown

function Code(props: { spans: readonly Span[] }) {
  let left = LONGEST_LINE;
  return (
    <code>
      {props.spans.map((span, i) => {
        if (left <= 0) return null;
        const text = span.text.slice(0, left);
        left -= span.text.length;
        // Marks that would turn the text around are shown as what they are; tabs stay tabs.
        const shown = text.replace(/[^\t]+/g, visible) + (left < 0 ? ' …' : '');
        return (
          <span key={i} class={span.style && `syntax-${span.style}`}>
            {shown}
          </span>
        );
      })}
    </code>
  );
}

export function CodeView(props: {
  label: string;
  columns: readonly LineColumn[];
  shown: readonly ShownLine[];
  heat: Float64Array;
  spans: (line: number) => readonly Span[];
  longest: number; // characters of the longest line
  selected: number; // a line; 0: none
  onSelect: (line: number) => void;
  onOpenFold: (line: number) => void;
  onNextHot: (direction: 1 | -1) => void;
}) {
  const body = useRef<HTMLDivElement>(null);
  const { view, measure } = useScrollView(body, 800);
  const { shown, selected } = props;
  const at = indexOfLine(shown, selected);

  const showIndex = (index: number) => {
    const box = body.current;
    if (!box) return;
    const top = index * LINE_HEIGHT;
    const isInSight = top >= box.scrollTop && top + LINE_HEIGHT <= box.scrollTop + box.clientHeight;
    if (!isInSight) box.scrollTop = top - box.clientHeight / 3;
  };
  useEffect(() => {
    if (selected > 0) showIndex(indexOfLine(shown, selected));
  }, [selected, shown]);

  const first = Math.max(0, Math.floor(view.top / LINE_HEIGHT) - SPARE_LINES);
  const end = Math.min(shown.length, Math.ceil((view.top + view.height) / LINE_HEIGHT) + SPARE_LINES);
  const template = [...props.columns.map((column) => `${column.width}px`), '52px', 'minmax(0, 1fr)'].join(
    ' ',
  );
  const before = props.columns.reduce((sum, column) => sum + column.width + 10, 90);
  const width = `max(100%, calc(${before}px + ${Math.min(props.longest, LONGEST_LINE)}ch))`;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = (step: number) => {
      const next = shown[Math.max(0, Math.min(shown.length - 1, at + step))];
      if (next) props.onSelect(next.line);
    };
    if (event.key === 'ArrowDown') move(1);
    else if (event.key === 'ArrowUp') move(-1);
    else if (event.key === 'j') props.onNextHot(1);
    else if (event.key === 'k') props.onNextHot(-1);
    else if (event.key === 'Enter' && at >= 0 && shown[at].folded > 0) props.onOpenFold(shown[at].line);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="code" role="grid" aria-label={props.label} aria-rowcount={shown.length + 1}>
      <div role="rowgroup">
        <div role="row" class="head" style={{ gridTemplateColumns: template }}>
          {props.columns.map((column) => (
            <div key={column.id} role="columnheader" title={column.hint}>
              {column.title}
            </div>
          ))}
          <div role="columnheader">Line</div>
          <div role="columnheader" class="text">
            Code
          </div>
        </div>
      </div>
      <div class="rest">
        <div class="body" role="rowgroup" ref={body} tabIndex={0} onKeyDown={onKeyDown} onScroll={measure}>
          <div role="presentation" style={{ height: `${shown.length * LINE_HEIGHT}px`, width }} />
          {shown.slice(first, end).map((row, i) => {
            const top = `${(first + i) * LINE_HEIGHT}px`;
            if (row.folded > 0) {
              return (
                <div
                  key={row.line}
                  role="row"
                  class="fold"
                  aria-rowindex={first + i + 2}
                  style={{ top, width }}
                >
                  <div role="gridcell">
                    <button type="button" class="link" onClick={() => props.onOpenFold(row.line)}>
                      {row.folded} lines where nothing was measured
                    </button>
                  </div>
                </div>
              );
            }
            return (
              <div
                key={row.line}
                role="row"
                aria-rowindex={first + i + 2}
                aria-selected={row.line === selected}
                class={row.line === selected ? 'line on' : 'line'}
                style={{ top, width, gridTemplateColumns: template }}
                onClick={() => props.onSelect(row.line)}
              >
                {props.columns.map((column) => (
                  <div key={column.id} role="gridcell" class="n">
                    {column.cell(row.line)}
                  </div>
                ))}
                <div role="rowheader" class="no">
                  {row.line}
                </div>
                <div role="gridcell" class="text">
                  <Code spans={props.spans(row.line)} />
                </div>
              </div>
            );
          })}
        </div>
        <HeatStrip heat={props.heat} shown={shown} onPick={showIndex} />
      </div>
    </div>
  );
}
