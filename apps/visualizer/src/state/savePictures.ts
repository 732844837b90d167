import type { TableOrigin } from '@tutti/lab/parquet';
import { messageOf } from '../messageOf.ts';
import type { TableLines } from './tableFile.ts';

/** What a picture's file has in addition to the picture. */
export interface PictureWords {
  readonly title: string;
  /** What makes the same run again, and made this one. */
  readonly origin: TableOrigin;
  /** Of the file, without its end. */
  readonly name: string;
}

/** What can be saved as a picture, or as its numbers. */
export interface Keepable {
  readonly words: PictureWords;
  /** Waits for a view that is not available at once. @returns whether it is available now. */
  settled?(view: string): Promise<boolean>;
  /** The numbers of a view, by its name; undefined if there are none. */
  numbers(view: string): TableLines | undefined;
}

/** As what a view is kept. */
export type KeptAs = 'svg' | 'png' | 'csv' | 'parquet';

/**
 * Buttons that keep the chosen view as it stands. @param keepable draws every view; undefined while there is nothing to
 * be seen.
 */
export function picturesOnPress(host: HTMLElement, keepable: () => Keepable | undefined): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  const choice = host.querySelector('select')!;
  for (const button of host.querySelectorAll<HTMLButtonElement>('[data-picture]')) {
    button.addEventListener('click', async () => {
      try {
        // Few readers ask for it.
        const { keepView } = await import('./keepView.ts');
        note.textContent = await keepView(keepable(), choice.value, button.dataset.picture as KeptAs);
      } catch (error) {
        note.textContent = `It could not be drawn: ${messageOf(error)}`;
      }
    });
  }
}
