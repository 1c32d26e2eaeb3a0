// A canvas with a flame picture on it: what part is in sight, what is where. Draws at most once per
// frame of the screen.
import { contextOf, fitCanvas } from '../../parts/canvas_size';
import { clampRange, isSameRange, panRange, widthOf, zoomRange, type Range } from '../../parts/range';
import { boxAt, levelOf } from './levels';
import { BoxPainter } from './paint_boxes';
import { paintSunburst } from './paint_sunburst';
import { axisHeight, contentHeight, levelAtHeight, ROW_HEIGHT, shownLevels, topOfLevel } from './scene';
import type { Placing, Scene } from './scene';
import { arcAt, layoutRings } from './sunburst';

export class FlameStage {
  private scene: Scene | null = null;
  private placing: Placing = { width: 1, height: 1, scale: 1, scrollTop: 0, view: { left: 0, right: 1 } };
  private hovered = -1;
  private waiting = 0;
  private readonly painter = new BoxPainter();
  private readonly context: CanvasRenderingContext2D | null;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly onView: (view: Range) => void,
  ) {
    this.context = contextOf(canvas);
  }

  get view(): Range {
    return this.placing.view;
  }

  show(scene: Scene): void {
    const isOther = scene.frames !== this.scene?.frames || scene.shown.root !== this.scene.shown.root;
    const isTurned = scene.shape !== this.scene?.shape;
    this.scene = scene;
    if (isOther || isTurned) {
      this.hovered = -1;
      this.setView(scene.shown.bounds);
    }
    this.requestDraw();
  }

  resize(width: number, height: number): void {
    this.placing = { ...this.placing, ...fitCanvas(this.canvas, width, height) };
    // A canvas is empty after it was resized; waiting for the next frame would flicker.
    this.draw();
  }

  scrollTo(scrollTop: number): void {
    if (scrollTop === this.placing.scrollTop) return;
    this.placing = { ...this.placing, scrollTop };
    this.requestDraw();
  }

  hover(row: number): void {
    if (row === this.hovered) return;
    this.hovered = row;
    this.requestDraw();
  }

  zoomAt(x: number, factor: number): void {
    const { view, width } = this.placing;
    if (!this.scene || this.scene.shape === 'sunburst') return;
    const at = view.left + (x / width) * widthOf(view);
    this.setView(zoomRange(view, this.scene.shown.bounds, at, factor));
  }

  panBy(pixels: number): void {
    const { view, width } = this.placing;
    if (!this.scene || this.scene.shape === 'sunburst') return;
    this.setView(panRange(view, this.scene.shown.bounds, (pixels / width) * widthOf(view)));
  }

  reset(): void {
    if (this.scene) this.setView(this.scene.shown.bounds);
  }

  frameAt(x: number, y: number): number {
    const { scene, placing } = this;
    if (!scene) return -1;
    const { frames, shown } = scene;
    if (scene.shape === 'sunburst') {
      const rings = layoutRings(shown, scene.depth, placing.width, placing.height);
      return arcAt(frames, shown, rings, x, y);
    }
    const level = levelAtHeight(scene, placing, y);
    if (y < axisHeight(scene) || level < 0 || level >= shownLevels(scene)) return -1;
    const at = placing.view.left + (x / placing.width) * widthOf(placing.view);
    return boxAt(frames, shown.from[level], shown.to[level], at);
  }

  // Where a box is, to put a menu beside it.
  placeOf(row: number): { x: number; y: number } {
    const { scene, placing } = this;
    if (!scene || row < 0 || scene.shape === 'sunburst') {
      return { x: placing.width / 2, y: placing.height / 2 };
    }
    const middle = (scene.frames.left[row] + scene.frames.right[row]) / 2;
    const x = ((middle - placing.view.left) / widthOf(placing.view)) * placing.width;
    const y = topOfLevel(scene, placing, levelOf(scene.frames, row) - scene.shown.firstLevel) + ROW_HEIGHT;
    return { x: Math.max(0, Math.min(placing.width, x)), y };
  }

  // Brings a box into sight; answers how far the picture has to be scrolled.
  reveal(row: number): number {
    const { scene, placing } = this;
    if (!scene || row < 0 || scene.shape === 'sunburst') return placing.scrollTop;
    const { frames } = scene;
    const box = { left: frames.left[row], right: frames.right[row] };
    if (box.right <= placing.view.left || box.left >= placing.view.right) {
      const middle = (box.left + box.right) / 2;
      const half = widthOf(placing.view) / 2;
      this.setView(clampRange({ left: middle - half, right: middle + half }, scene.shown.bounds));
    }
    const top = topOfLevel(scene, placing, levelOf(frames, row) - scene.shown.firstLevel);
    const axis = axisHeight(scene);
    if (top < axis) return Math.max(0, placing.scrollTop + top - axis);
    const below = top + ROW_HEIGHT - placing.height;
    const most = Math.max(0, contentHeight(scene) + axis - placing.height);
    return below > 0 ? Math.min(most, placing.scrollTop + below) : placing.scrollTop;
  }

  stop(): void {
    cancelAnimationFrame(this.waiting);
    this.waiting = 0;
  }

  private setView(view: Range): void {
    if (isSameRange(view, this.placing.view)) return;
    this.placing = { ...this.placing, view };
    this.onView(view);
    this.requestDraw();
  }

  private requestDraw(): void {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = 0;
      this.draw();
    });
  }

  private draw(): void {
    const { scene, placing, context } = this;
    if (!scene || !context) return;
    context.setTransform(1, 0, 0, 1, 0, 0);
    if (scene.shape === 'sunburst') paintSunburst(context, scene, placing, this.hovered);
    else this.painter.paint(context, scene, placing, this.hovered);
  }
}
