// Keeps a canvas as many pixels large as the screen has for it.
export interface CanvasSize {
  readonly width: number; // in CSS pixels
  readonly height: number;
  readonly scale: number; // screen pixels in one
}

export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number): CanvasSize {
  const scale = Math.min(3, Math.max(1, window.devicePixelRatio || 1));
  const across = Math.max(1, Math.round(width * scale));
  const down = Math.max(1, Math.round(height * scale));
  if (canvas.width !== across) canvas.width = across;
  if (canvas.height !== down) canvas.height = down;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  return { width, height, scale };
}

// Measured without graphics hardware: `desynchronized` canvases stay empty in some browsers, and
// `willReadFrequently` doubles the time of a frame where the page is put together by software GL.
export function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  return canvas.getContext('2d', { alpha: false });
}
