// A canvas as many pixels large as the screen has for it. Pictures are drawn beside it and shown at
// once: the canvas on the page goes to the screen without waiting for the rest of the page, which
// matters where no graphics hardware helps, and half a picture must not be seen.
export interface CanvasSize {
  readonly width: number; // in CSS pixels
  readonly height: number;
  readonly scale: number; // screen pixels in one
}

export class ScreenCanvas {
  readonly context: CanvasRenderingContext2D | null; // to draw with
  private readonly shown: CanvasRenderingContext2D | null;
  private readonly hidden = document.createElement('canvas');

  constructor(private readonly canvas: HTMLCanvasElement) {
    // Pixels are written by the processor, so they stay in its memory.
    const options: CanvasRenderingContext2DSettings = { alpha: false, willReadFrequently: true };
    this.context = this.hidden.getContext('2d', options);
    this.shown = canvas.getContext('2d', { ...options, desynchronized: true });
  }

  fit(width: number, height: number): CanvasSize {
    const scale = Math.min(3, Math.max(1, window.devicePixelRatio || 1));
    const across = Math.max(1, Math.round(width * scale));
    const down = Math.max(1, Math.round(height * scale));
    for (const each of [this.canvas, this.hidden]) {
      if (each.width !== across) each.width = across;
      if (each.height !== down) each.height = down;
    }
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    return { width, height, scale };
  }

  show(): void {
    this.shown?.drawImage(this.hidden, 0, 0);
  }
}
