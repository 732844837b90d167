import { download } from '../files.ts';
import { messageOf } from '../worker/task.ts';

/** Frames a second of a clip. */
const rate = 30;
/** No clip is longer, ms. */
const longestMs = 60_000;
/** Room for the title, px. */
const headPx = 34;

export interface ClipListener {
  /** The part of the page whose canvases are filmed; undefined where there is nothing to film. */
  host(): HTMLElement | undefined;
  /** Plays from the beginning. */
  play(): void;
  playing(): boolean;
  /** Returns the text over the picture now. */
  words(): string;
  /** The file's, without its ending. */
  name(): string;
}

/**
 * Films what the canvases of a part of the page show while the run plays, as a WebM, or an MP4, that needs no page. Says in words
 * how that went.
 */
export function clipOnPress(button: HTMLButtonElement, says: HTMLElement, on: ClipListener): void {
  const type = clipType(typeof MediaRecorder === 'undefined' ? undefined : MediaRecorder);
  button.disabled = type === undefined;
  if (type === undefined) {
    button.title = 'This browser can record neither WebM nor MP4';
    return;
  }
  button.addEventListener('click', () => {
    const host = on.host();
    if (host === undefined) {
      says.textContent = 'There is nothing to record';
      return;
    }
    button.disabled = true;
    says.textContent = 'Recording while the run plays …';
    film(host, on, type).then(
      (clip) => {
        download(clip, `${on.name()}.${type.slice('video/'.length)}`);
        says.textContent = '';
        button.disabled = false;
      },
      (error: unknown) => {
        says.textContent = `No clip: ${messageOf(error)}`;
        button.disabled = false;
      },
    );
  });
}

/** Returns the first format that the browser says it can record; undefined if it can none of them. */
export function clipType(
  recorder: { isTypeSupported(type: string): boolean } | undefined,
): 'video/webm' | 'video/mp4' | undefined {
  return (['video/webm', 'video/mp4'] as const).find((type) => recorder?.isTypeSupported(type) === true);
}

function film(host: HTMLElement, on: ClipListener, type: string): Promise<Blob> {
  const box = host.getBoundingClientRect();
  const sheet = document.createElement('canvas');
  // A codec wants whole pairs of pixels.
  sheet.width = 2 * Math.ceil(box.width / 2);
  sheet.height = 2 * Math.ceil((box.height + headPx) / 2);
  const context = sheet.getContext('2d')!;
  const style = getComputedStyle(document.documentElement);
  const [paper, ink] = [style.getPropertyValue('--paper'), style.getPropertyValue('--ink')];
  const font = `16px ${getComputedStyle(document.body).fontFamily}`;
  const draw = () => {
    context.fillStyle = paper;
    context.fillRect(0, 0, sheet.width, sheet.height);
    context.fillStyle = ink;
    context.font = font;
    context.fillText(on.words(), 8, 22);
    const from = host.getBoundingClientRect();
    for (const canvas of host.querySelectorAll('canvas')) {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      if (width > 0) context.drawImage(canvas, left - from.left, top - from.top + headPx, width, height);
    }
  };
  return new Promise((resolve, reject) => {
    const recorder = new MediaRecorder(sheet.captureStream(rate), { mimeType: type });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => resolve(new Blob(pieces, { type }));
    recorder.onerror = () => reject(new Error('the browser’s recorder failed'));
    on.play();
    draw();
    recorder.start();
    const beganMs = performance.now();
    const frame = () => {
      draw();
      if (on.playing() && performance.now() - beganMs < longestMs) requestAnimationFrame(frame);
      else recorder.stop();
    };
    requestAnimationFrame(frame);
  });
}
