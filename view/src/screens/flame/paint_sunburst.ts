// Draws rings. They are not panned, so paths are quick enough and have smooth edges.
import { isMatch } from './box_colours';
import { boxFont } from './paint_boxes';
import type { Placing, Scene } from './scene';
import { FULL_CIRCLE, layoutRings, visitArcs, type Arc, type Rings } from './sunburst';

const SHORTEST_LABEL = 26;
const ROOM_FOR_LABEL = 13; // across, for a line of text

// Canvas angles begin at the right, ours at the top.
const TOP = -FULL_CIRCLE / 4;

function trace(context: CanvasRenderingContext2D, rings: Rings, arc: Arc): void {
  const start = arc.start + TOP;
  const end = arc.end + TOP;
  context.beginPath();
  context.arc(rings.x, rings.y, arc.outer, start, end);
  if (arc.inner > 0) context.arc(rings.x, rings.y, arc.inner, end, start, true);
  else if (arc.end - arc.start < FULL_CIRCLE * 0.999) context.lineTo(rings.x, rings.y);
  context.closePath();
}

export function paintSunburst(
  context: CanvasRenderingContext2D,
  scene: Scene,
  placing: Placing,
  hovered: number,
): void {
  const { palette, frames, shown, colourOf } = scene;
  context.setTransform(placing.scale, 0, 0, placing.scale, 0, 0);
  context.fillStyle = palette.background;
  context.fillRect(0, 0, placing.width, placing.height);
  const rings = layoutRings(shown, scene.depth, placing.width, placing.height);
  const marked: Arc[] = [];
  const named: Arc[] = [];
  context.lineWidth = 0.75;
  context.strokeStyle = palette.background;
  visitArcs(frames, shown, rings, (arc) => {
    trace(context, rings, arc);
    context.fillStyle = palette.fills[colourOf(arc.row)];
    context.fill();
    const length = (arc.end - arc.start) * (arc.inner + arc.outer) * 0.5;
    if (length > 3) context.stroke();
    if (arc.row === hovered || arc.row === scene.selected) marked.push(arc);
    if (length >= ROOM_FOR_LABEL && rings.thickness >= SHORTEST_LABEL) named.push(arc);
  });
  for (const arc of named) paintLabel(context, scene, rings, arc);
  for (const arc of marked) {
    context.strokeStyle = palette.line;
    context.lineWidth = arc.row === scene.selected ? 2 : 1;
    trace(context, rings, arc);
    context.stroke();
  }
}

// Along the radius, turned so that no name stands on its head; in the middle disc level.
function paintLabel(context: CanvasRenderingContext2D, scene: Scene, rings: Rings, arc: Arc): void {
  const colour = scene.colourOf(arc.row);
  const isDisc = arc.inner === 0;
  const room = isDisc ? arc.outer * 1.7 : rings.thickness - 6;
  context.font = boxFont(scene, isMatch(colour));
  const text = scene.labels.fitting(scene.frames.function[arc.row], room);
  if (text === '') return;
  context.fillStyle = scene.palette.inks[colour];
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.save();
  context.translate(rings.x, rings.y);
  if (!isDisc) {
    const middle = (arc.start + arc.end) / 2 + TOP;
    const isLeft = Math.cos(middle) < 0;
    context.rotate(isLeft ? middle + Math.PI : middle);
    context.translate(((arc.inner + arc.outer) / 2) * (isLeft ? -1 : 1), 0);
  }
  context.fillText(text, 0, 0);
  context.restore();
}
