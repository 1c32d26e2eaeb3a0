// Python as spans. The parser works in slices of time, so that a long file is on the screen at once
// and gets its colours a moment later.
import type { PartialParse, Tree } from '@lezer/common';
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight';
import { parser } from '@lezer/python';

export interface Span {
  readonly text: string;
  readonly style: string; // a class; empty: plain
}

const styles = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.modifier, class: 'keyword' },
  { tag: [tags.bool, tags.null, tags.number], class: 'number' },
  { tag: tags.string, class: 'string' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.meta, class: 'name' },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    class: 'name',
  },
]);

// Line breaks as Python counts lines: \n, \r\n and \r, not the other marks of Unicode.
export function splitLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

export class Highlighter {
  private readonly text: string;
  private readonly starts: Uint32Array;
  private parse: PartialParse | null;
  private tree: Tree | null = null;

  constructor(private readonly lines: readonly string[]) {
    this.text = lines.join('\n');
    this.starts = new Uint32Array(lines.length);
    let start = 0;
    for (let i = 0; i < lines.length; ++i) {
      this.starts[i] = start;
      start += lines[i].length + 1;
    }
    this.parse = parser.startParse(this.text);
  }

  // Works until `deadline` (of performance.now()); true when all is done.
  advance(deadline: number): boolean {
    while (this.parse && performance.now() < deadline) {
      this.tree = this.parse.advance();
      if (this.tree) this.parse = null;
    }
    return this.parse === null;
  }

  // A line, counted from 1.
  spans(line: number): Span[] {
    const text = this.lines[line - 1] ?? '';
    if (!this.tree || text === '') return text === '' ? [] : [{ text, style: '' }];
    const start = this.starts[line - 1];
    const end = start + text.length;
    const spans: Span[] = [];
    let at = start;
    const plainUpTo = (to: number) => {
      if (to > at) spans.push({ text: this.text.slice(at, to), style: '' });
    };
    highlightTree(
      this.tree,
      styles,
      (from, to, style) => {
        const first = Math.max(from, at);
        const last = Math.min(to, end);
        if (last <= first) return;
        plainUpTo(first);
        spans.push({ text: this.text.slice(first, last), style });
        at = last;
      },
      start,
      end,
    );
    plainUpTo(end);
    return spans;
  }
}
