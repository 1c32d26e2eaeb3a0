// Where the picture stands in its window, and how it moves.
export interface Place {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Rect extends Size {
  readonly x: number;
  readonly y: number;
}

const SMALLEST = 0.05;
const LARGEST = 4;
const READABLE = 0.6; // text below this scale cannot be read
const COMFORTABLE = 0.75; // where not all fits

function wholeScale(picture: Size, box: Size): number {
  return Math.min(1, box.width / (picture.width || 1), box.height / (picture.height || 1));
}

// The whole picture, however small.
export function fitAll(picture: Size, box: Size): Place {
  const scale = Math.max(SMALLEST, wholeScale(picture, box));
  const y = Math.max(0, (box.height - picture.height * scale) / 2);
  return { x: (box.width - picture.width * scale) / 2, y, scale };
}

// The whole picture, if it can be read so; else the box that matters most in the middle, or as near to
// it as the picture's edges allow.
export function fit(picture: Size, most: Rect | undefined, box: Size): Place {
  if (!most || wholeScale(picture, box) >= READABLE) return fitAll(picture, box);
  const x = box.width / 2 - (most.x + most.width / 2) * COMFORTABLE;
  const y = box.height / 2 - (most.y + most.height / 2) * COMFORTABLE;
  return { x, y: Math.min(0, Math.max(y, box.height - picture.height * COMFORTABLE)), scale: COMFORTABLE };
}

// Larger or smaller, with the point under the pointer staying where it is.
export function zoom(place: Place, factor: number, x: number, y: number): Place {
  const scale = Math.max(SMALLEST, Math.min(LARGEST, place.scale * factor));
  const change = scale / place.scale;
  return { x: x - (x - place.x) * change, y: y - (y - place.y) * change, scale };
}

// The nearest box in a direction from another one; -1: none.
export function neighbourOf(boxes: readonly Rect[], from: number, dx: number, dy: number): number {
  const centre = (box: Rect) => ({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
  const start = centre(boxes[from]);
  let best = -1;
  let least = Infinity;
  boxes.forEach((box, i) => {
    const end = centre(box);
    const along = (end.x - start.x) * dx + (end.y - start.y) * dy;
    const aside = Math.abs((end.x - start.x) * dy) + Math.abs((end.y - start.y) * dx);
    if (i === from || along <= 1) return;
    const distance = along + 2 * aside;
    if (distance < least) [best, least] = [i, distance];
  });
  return best;
}

// Moved so that a box is in sight.
export function reveal(place: Place, box: Rect, view: Size): Place {
  const inside = (position: number, size: number, room: number) => {
    if (position < 0) return 20 - position;
    return position + size > room ? room - 20 - position - size : 0;
  };
  const x = inside(place.x + box.x * place.scale, box.width * place.scale, view.width);
  const y = inside(place.y + box.y * place.scale, box.height * place.scale, view.height);
  return x === 0 && y === 0 ? place : { ...place, x: place.x + x, y: place.y + y };
}
