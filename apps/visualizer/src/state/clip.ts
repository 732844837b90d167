import { download } from '../files.ts';
import { themeColours } from '../page.ts';
import { messageOf } from '../worker/task.ts';

/** Frames per second of a clip. */
const rate = 30;
/** Maximum length of a clip, ms. */
const maxMs = 60_000;
/** Height of the line of text above the picture, px. */
const headPx = 34;

interface ClipListener {
  /** Returns the part of the page whose canvases are recorded as a clip; undefined if there is none. */
  host(): HTMLElement | undefined;
  /** Plays the run from the beginning. */
  play(): void;
  playing(): boolean;
  /** Returns the current text above the picture. */
  words(): string;
  /** Returns the file's name without its extension. */
  name(): string;
}

/**
 * Records the canvases of a part of the page during the run, and offers the clip as a WebM or MP4 file. Progress and
 * result appear as text.
 */
export function clipOnPress(button: HTMLButtonElement, says: HTMLElement, on: ClipListener): void {
  const type = (['video/webm', 'video/mp4'] as const).find((one) => globalThis.MediaRecorder?.isTypeSupported(one));
  button.disabled = type === undefined;
  if (type === undefined) {
    button.title = 'This browser can record neither WebM nor MP4';
    return;
  }
  button.addEventListener('click', () => {
    const host = on.host();
    // A drawing with elements, such as the levels, cannot be recorded.
    if (host === undefined || canvasesIn(host).length === 0) {
      says.textContent = host === undefined ? 'The run has not ended yet' : 'This view cannot be recorded';
      return;
    }
    button.disabled = true;
    says.textContent = 'Recording while the run plays …';
    recordClip(host, on, type)
      .then(
        (clip) => {
          download(clip, `${on.name()}.${type.slice('video/'.length)}`);
          says.textContent = '';
        },
        (error: unknown) => {
          says.textContent = `The clip could not be recorded: ${messageOf(error)}`;
        },
      )
      .finally(() => {
        button.disabled = false;
      });
  });
}

/** Returns the visible canvases of a part of the page. */
function canvasesIn(host: HTMLElement): HTMLCanvasElement[] {
  return [...host.querySelectorAll('canvas')].filter(({ clientWidth }) => clientWidth > 0);
}

/** Plays the run, and records it until it pauses or the clip has its maximum length. */
async function recordClip(host: HTMLElement, on: ClipListener, type: string): Promise<Blob> {
  const box = host.getBoundingClientRect();
  const sheet = document.createElement('canvas');
  // Video codecs need an even width and height.
  sheet.width = 2 * Math.ceil(box.width / 2);
  sheet.height = 2 * Math.ceil((box.height + headPx) / 2);
  const context = sheet.getContext('2d')!;
  const colour = themeColours();
  const font = `16px ${getComputedStyle(document.body).fontFamily}`;
  const draw = () => {
    context.fillStyle = colour('paper');
    context.fillRect(0, 0, sheet.width, sheet.height);
    context.fillStyle = colour('ink');
    context.font = font;
    context.fillText(on.words(), 8, 22);
    const from = host.getBoundingClientRect();
    for (const canvas of canvasesIn(host)) {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      context.drawImage(canvas, left - from.left, top - from.top + headPx, width, height);
    }
  };
  return new Promise((resolve, reject) => {
    const stream = sheet.captureStream(rate);
    const recorder = new MediaRecorder(stream, { mimeType: type });
    const pieces: Blob[] = [];
    recorder.ondataavailable = ({ data }) => pieces.push(data);
    recorder.onstop = () => {
      for (const track of stream.getTracks()) track.stop();
      resolve(new Blob(pieces, { type }));
    };
    recorder.onerror = () => reject(new Error('the browser’s recorder failed'));
    on.play();
    draw();
    recorder.start();
    const stop = () => recorder.state === 'recording' && recorder.stop();
    // A hidden page draws no frames, so the maximum length has a timer.
    setTimeout(stop, maxMs);
    const frame = () => {
      draw();
      if (on.playing() && recorder.state === 'recording') requestAnimationFrame(frame);
      else stop();
    };
    requestAnimationFrame(frame);
  });
}
