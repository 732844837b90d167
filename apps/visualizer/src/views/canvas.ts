/** A canvas that fills the width of its host and is as sharp as the screen. */
export interface SharpCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly context: CanvasRenderingContext2D;
  /** In CSS pixels; drawing is in these too. */
  width: number;
  height: number;
  ratio: number;
  resize(width: number, height: number): void;
}

export function sharpCanvas(host: HTMLElement): SharpCanvas {
  const canvas = document.createElement('canvas');
  // Until it is drawn it takes no room, so that nothing is seen to move when it gets its size.
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

/** The face of who lies, which reads without its colour: a cross. @param half half its side. */
export function cross(context: CanvasPath, x: number, y: number, half: number): void {
  context.moveTo(x - half, y - half);
  context.lineTo(x + half, y + half);
  context.moveTo(x + half, y - half);
  context.lineTo(x - half, y + half);
}
