import type { Recording } from '@tutti/core/simulation';
import type { RunIndex } from '../timeline/runIndex.ts';
import { asPng, asSvg, pictureOf } from '../views/pictureOf.ts';
import { saveRecording } from '../worker/saveRecording.ts';
import { keepings, kept } from './keeping.ts';
import { keepPage } from './keepPage.ts';
import { csvText, type ShownMoment, viewCsvs } from './viewCsv.ts';

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

/** A button for the run as one HTML file, seen through the eyes of the node that is looked at. */
export function keepPageOnPress(
  button: HTMLButtonElement,
  note: HTMLElement,
  shown: () => { readonly recording: Recording; readonly node: number } | undefined,
): void {
  button.addEventListener('click', async () => {
    const of = shown();
    if (!of) return;
    button.disabled = true;
    note.textContent = 'Writing …';
    try {
      const page = await keepPage(of.recording, of.node);
      const { nodes, seed } = of.recording.scenario;
      download(page, `tutti-${nodes}-${seed}.html`);
      note.textContent = `Saved, ${(page.size / 1e6).toFixed(1)} MB; it plays without a network`;
    } catch (error) {
      note.textContent = `It could not be written: ${error instanceof Error ? error.message : String(error)}`;
    }
    button.disabled = false;
  });
}

/** What stands in a picture's file beside the picture. */
export interface PictureWords {
  readonly title: string;
  /** What makes the same run again. */
  readonly description: string;
  /** Of the file, without its end. */
  readonly name: string;
}

/** What is there to be kept as a picture, or as its numbers. */
export interface Keepable {
  readonly words: PictureWords;
  readonly shown: ShownMoment;
}

/** Buttons that keep the chosen view as it stands. @param keepable draws every view; undefined while there is nothing to be seen. */
export function picturesOnPress(host: HTMLElement, keepable: () => Keepable | undefined): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  const choice = host.querySelector('select')!;
  for (const button of host.querySelectorAll<HTMLButtonElement>('[data-picture]')) {
    button.addEventListener('click', async () => {
      const kept = keepable();
      const view = document.querySelector<HTMLElement>(`#${choice.value}, #${choice.value}-chart`)!;
      const as = button.dataset.picture as 'svg' | 'png' | 'csv';
      const numbers = as === 'csv' && kept ? viewCsvs[choice.value]!(kept.shown) : undefined;
      if (!kept || view.clientHeight === 0 || (as === 'csv' && numbers === undefined)) {
        note.textContent = 'This run has no such view';
        return;
      }
      const { title, description, name } = kept.words;
      const file = async () => {
        if (numbers !== undefined) return new Blob([csvText(numbers)], { type: 'text/csv' });
        const picture = pictureOf(view, title, description);
        return as === 'svg' ? asSvg(picture) : asPng(picture, 2);
      };
      try {
        download(await file(), `${name}-${choice.value}.${as}`);
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
