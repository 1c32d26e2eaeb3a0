// The whole file beside the scrollbar: where it is hot. The table of lines says the same in numbers.
import { useEffect, useRef } from 'preact/hooks';
import { theme, token } from '../../app/theme';
import { HEAT_STEPS, heatIndexOf } from '../../model/colours';
import { indexOfLine, type ShownLine } from './folding';

const WIDTH = 12;

export function HeatStrip(props: {
  heat: Float64Array;
  shown: readonly ShownLine[];
  onPick: (index: number) => void;
}) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const now = theme.value;
  useEffect(() => {
    const target = canvas.current;
    if (!target) return undefined;
    const draw = () => drawHeat(target, props.heat, props.shown);
    const observer = new ResizeObserver(draw);
    observer.observe(target);
    draw();
    return () => observer.disconnect();
  }, [props.heat, props.shown, now]);
  return (
    <canvas
      ref={canvas}
      class="heat-strip"
      aria-hidden="true"
      onPointerDown={(event) => {
        const bounds = event.currentTarget.getBoundingClientRect();
        props.onPick(Math.floor(((event.clientY - bounds.top) / bounds.height) * props.shown.length));
      }}
    />
  );
}

function drawHeat(canvas: HTMLCanvasElement, heat: Float64Array, shown: readonly ShownLine[]): void {
  const ratio = devicePixelRatio;
  canvas.width = WIDTH * ratio;
  canvas.height = Math.max(1, Math.round(canvas.clientHeight * ratio));
  const context = canvas.getContext('2d');
  if (!context || shown.length === 0) return;
  const colours = Array.from({ length: HEAT_STEPS }, (_, i) => token(`heat${i}`));
  const most = heat.reduce((a, b) => Math.max(a, b), 0);
  const step = canvas.height / shown.length;
  // Pale ones first, so that a hot line is not hidden by its neighbours.
  for (let wanted = 1; wanted < HEAT_STEPS; ++wanted) {
    context.fillStyle = colours[wanted];
    for (let line = 1; line < heat.length; ++line) {
      if (heat[line] <= 0 || Math.max(1, heatIndexOf(heat[line] / most)) !== wanted) continue;
      const at = indexOfLine(shown, line);
      context.fillRect(0, Math.floor(at * step), canvas.width, Math.max(2 * ratio, step));
    }
  }
}
