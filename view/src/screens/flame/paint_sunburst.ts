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
    const isMarked = frames.function[arc.row] === scene.marked && length > 3;
    if (isMarked || arc.row === hovered || arc.row === scene.selected) marked.push(arc);
    if (
      Math.min(length, rings.thickness) >= ROOM_FOR_LABEL &&
      Math.max(length, rings.thickness) >= SHORTEST_LABEL
    )
      named.push(arc);
  });
  for (const arc of named) paintLabel(context, scene, rings, arc);
  for (const arc of marked) {
    context.strokeStyle = palette.line;
    context.lineWidth = arc.row === scene.selected ? 2 : 1;
    trace(context, rings, arc);
    context.stroke();
  }
}

// Level in the middle disc, else along the ring or along the radius, wherever there is more room.
function paintLabel(context: CanvasRenderingContext2D, scene: Scene, rings: Rings, arc: Arc): void {
  const colour = scene.colourOf(arc.row);
  const isDisc = arc.inner === 0;
  const length = (arc.end - arc.start) * (arc.inner + arc.outer) * 0.5;
  const isAlong = !isDisc && length > rings.thickness;
  context.font = boxFont(scene, isMatch(colour));
  const room = isDisc ? arc.outer * 1.7 : (isAlong ? length : rings.thickness) - 8;
  const text = scene.labels.fitting(scene.frames.function[arc.row], room);
  if (text === '') return;
  context.fillStyle = scene.palette.inks[colour];
  context.textBaseline = 'middle';
  context.textAlign = 'center';
  context.save();
  context.translate(rings.x, rings.y);
  const middle = (arc.start + arc.end) / 2;
  const radius = (arc.inner + arc.outer) / 2;
  if (isDisc) context.fillText(text, 0, 0);
  else if (isAlong) bend(context, text, radius, middle);
  else {
    const isLeft = middle > Math.PI;
    context.rotate(middle + TOP + (isLeft ? Math.PI : 0));
    context.fillText(text, isLeft ? -radius : radius, 0);
  }
  context.restore();
}

// Letter by letter along a circle; in its lower half the other way, so that it is not on its head.
function bend(context: CanvasRenderingContext2D, text: string, radius: number, middle: number): void {
  const isBelow = middle > FULL_CIRCLE / 4 && middle < (3 * FULL_CIRCLE) / 4;
  const sign = isBelow ? -1 : 1;
  const angleOf = (width: number) => (sign * width) / radius;
  context.rotate(middle + (isBelow ? Math.PI : 0) - angleOf(context.measureText(text).width / 2));
  for (const letter of text) {
    const half = angleOf(context.measureText(letter).width / 2);
    context.rotate(half);
    context.fillText(letter, 0, isBelow ? radius : -radius);
    context.rotate(half);
  }
}
