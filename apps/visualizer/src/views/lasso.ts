import { polygonContains } from 'd3';

/** Minimum length of a line, px. A shorter line counts as a click. */
const minLength = 24;

/** Line that the user draws around elements of a canvas, with a mouse or a pen. A finger scrolls the page instead. */
export class Lasso {
  #line: [number, number][] = [];
  #isDrawing = false;
  /** Whether the last press drew a line and was not a click. */
  wasDrawn = false;

  constructor(
    canvas: HTMLCanvasElement,
    on: { moved(): void; closed(isInside: (x: number, y: number) => boolean): void },
  ) {
    const place = (event: PointerEvent): [number, number] => [event.offsetX, event.offsetY];
    canvas.addEventListener('pointerdown', (event) => {
      this.wasDrawn = false;
      if (event.pointerType === 'touch' || event.button !== 0) return;
      this.#isDrawing = true;
      this.#line = [place(event)];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (!this.#isDrawing) return;
      this.#line.push(place(event));
      on.moved();
    });
    canvas.addEventListener('pointerup', () => {
      if (!this.#isDrawing) return;
      this.#isDrawing = false;
      const line = this.#line;
      this.#line = [];
      on.moved();
      if (lengthOf(line) < minLength) return;
      this.wasDrawn = true;
      on.closed((x, y) => polygonContains(line, [x, y]));
    });
    canvas.addEventListener('pointercancel', () => {
      this.#isDrawing = false;
      this.#line = [];
    });
  }

  draw(context: CanvasRenderingContext2D, colour: string): void {
    if (this.#line.length < 2) return;
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash([5, 4]);
    context.beginPath();
    for (const [x, y] of this.#line) context.lineTo(x, y);
    context.stroke();
    context.setLineDash([]);
  }
}

function lengthOf(line: readonly (readonly [number, number])[]): number {
  return line.reduce((sum, [x, y], at) => {
    const [beforeX, beforeY] = line[at - 1] ?? [x, y];
    return sum + Math.hypot(x - beforeX, y - beforeY);
  }, 0);
}
