/** Canvas with the width of its host and the resolution of the screen. */
export interface SharpCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** Width in CSS pixels, the unit of drawing. */
  width: number;
  height: number;
  ratio: number;
  resize(width: number, height: number): void;
}

export function sharpCanvas(host: HTMLElement): SharpCanvas {
  const canvas = document.createElement('canvas');
  // The canvas takes no space until it is drawn, so that the page does not visibly shift.
  canvas.width = 0;
  canvas.height = 0;
  host.append(canvas);
  const context = canvas.getContext('2d')!;
  return {
    canvas,
    context,
    width: 0,
    height: 0,
    ratio: 1,
    resize(width, height) {
      this.width = width;
      this.height = height;
      this.ratio = Math.min(2, globalThis.devicePixelRatio || 1);
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
      canvas.style.width = `${width}px`;
      canvas.style.height = `${height}px`;
      context.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    },
  };
}

/** Adds a cross, which marks Byzantine senders without colour. @param half half of its side. */
export function cross(context: CanvasPath, x: number, y: number, half: number): void {
  context.moveTo(x - half, y - half);
  context.lineTo(x + half, y + half);
  context.moveTo(x + half, y - half);
  context.lineTo(x - half, y + half);
}
