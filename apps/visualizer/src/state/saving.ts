import type { Recording } from '@tutti/core/simulation';
import type { RunIndex } from '../timeline/runIndex.ts';
import { asPng, asSvg, pictureOf } from '../views/pictureOf.ts';
import { saveRecording } from '../worker/saveRecording.ts';
import { keepings, kept } from './keeping.ts';

/** Writes the run that is shown to a file when the button is pressed, and says on the button how that goes. */
export function saveOnPress(button: HTMLButtonElement, recording: () => Recording | undefined): void {
  const words = button.textContent;
  button.addEventListener('click', async () => {
    const shown = recording();
    if (!shown) return;
    button.disabled = true;
    button.textContent = 'Writing …';
    const saved = await saveRecording(shown).then(
      (file) => {
        const { nodes, seed } = shown.scenario;
        download(file, `tutti-${nodes}-${seed}.tutti`);
        return true;
      },
      () => false,
    );
    button.textContent = saved ? 'Saved' : 'It could not be written';
    button.disabled = false;
    setTimeout(() => {
      button.textContent = words;
    }, 1600);
  });
}

/** Buttons for the files that other tools read. */
export function keepOnPress(host: HTMLElement, index: () => RunIndex | undefined): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  for (const keeping of keepings) {
    const button = host.querySelector<HTMLButtonElement>(`[data-keep="${keeping.id}"]`)!;
    button.addEventListener('click', async () => {
      const shown = index();
      if (!shown) return;
      const refusal = keeping.refusal(shown.recording);
      note.textContent = refusal ?? 'Writing …';
      if (refusal !== undefined) return;
      const { nodes, seed } = shown.recording.scenario;
      download(await kept(keeping, shown), `tutti-${nodes}-${seed}.${keeping.extension}`);
      note.textContent = 'Saved';
    });
  }
}

/** What stands in a picture's file beside the picture. */
export interface PictureWords {
  readonly title: string;
  /** What makes the same run again. */
  readonly description: string;
  /** Of the file, without its end. */
  readonly name: string;
}

/** Buttons that keep the chosen view as it stands. @param words undefined while there is nothing to be seen. */
export function picturesOnPress(host: HTMLElement, words: () => PictureWords | undefined): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  const choice = host.querySelector('select')!;
  for (const button of host.querySelectorAll<HTMLButtonElement>('[data-picture]')) {
    button.addEventListener('click', async () => {
      const of = words();
      const view = document.querySelector<HTMLElement>(`#${choice.value}, #${choice.value}-chart`)!;
      if (!of || view.clientHeight === 0) {
        note.textContent = 'This run has no such view';
        return;
      }
      const { title, description, name } = of;
      const as = button.dataset.picture as 'svg' | 'png';
      try {
        const picture = pictureOf(view, title, description);
        download(as === 'svg' ? asSvg(picture) : await asPng(picture, 2), `${name}-${choice.value}.${as}`);
        note.textContent = 'Saved';
      } catch (error) {
        note.textContent = `It could not be drawn: ${error instanceof Error ? error.message : String(error)}`;
      }
    });
  }
}

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken hold of the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
