// A few lines beside the pointer. What it says can always be read elsewhere too.
import { useEffect, useRef } from 'preact/hooks';

export interface TooltipContent {
  readonly x: number;
  readonly y: number;
  readonly lines: readonly string[];
}

export function Tooltip(props: { content: TooltipContent | null }) {
  const box = useRef<HTMLDivElement>(null);
  const { content } = props;
  useEffect(() => {
    const tip = box.current;
    if (!tip || !content) return;
    const bounds = tip.getBoundingClientRect();
    const right = content.x + 14 + bounds.width < innerWidth;
    const below = content.y + 18 + bounds.height < innerHeight;
    tip.style.left = `${right ? content.x + 14 : Math.max(4, content.x - bounds.width - 10)}px`;
    tip.style.top = `${below ? content.y + 18 : Math.max(4, content.y - bounds.height - 10)}px`;
  }, [content]);
  if (!content) return null;
  return (
    <div ref={box} class="tooltip" role="presentation">
      {content.lines.map((line, i) => (i === 0 ? <b key={i}>{line}</b> : <div key={i}>{line}</div>))}
    </div>
  );
}
