import type { TableOrigin } from '@tutti/lab/parquet';
import { messageOf } from '../messageOf.ts';
import { asPng, asSvg, pictureOf } from '../views/pictureOf.ts';
import { download } from './download.ts';
import { csvText, parquetFile, parquetType, type TableLines, tableOf } from './tableFile.ts';

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

/**
 * Buttons that keep the chosen view as it stands. @param keepable draws every view; undefined while there is nothing to
 * be seen.
 */
export function picturesOnPress(host: HTMLElement, keepable: () => Keepable | undefined): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  const choice = host.querySelector('select')!;
  for (const button of host.querySelectorAll<HTMLButtonElement>('[data-picture]')) {
    button.addEventListener('click', async () => {
      const kept = keepable();
      const isThere = (await kept?.settled?.(choice.value)) ?? true;
      const view = document.querySelector<HTMLElement>(`#${choice.value}, #${choice.value}-chart`)!;
      const as = button.dataset.picture as 'svg' | 'png' | 'csv' | 'parquet';
      const isPicture = as === 'svg' || as === 'png';
      const numbers = isPicture ? undefined : kept?.numbers(choice.value);
      if (!kept || !isThere || view.clientHeight === 0 || (!isPicture && numbers === undefined)) {
        note.textContent =
          choice.value === 'desk'
            ? 'There is no desk to draw: it is found for Handel of up to 1,024 nodes, at a node that follows it'
            : 'This run has no such view';
        return;
      }
      const { title, origin, name } = kept.words;
      const file = async () => {
        if (numbers !== undefined) {
          if (as === 'csv') return new Blob([csvText(numbers)], { type: 'text/csv' });
          const bytes = await parquetFile(tableOf(numbers), origin);
          return new Blob([bytes], { type: parquetType });
        }
        const picture = pictureOf(view, title, `npx tutti ${origin.command}`);
        return as === 'svg' ? asSvg(picture) : asPng(picture, 2);
      };
      try {
        download(await file(), `${name}-${choice.value}.${as}`);
        note.textContent = 'Saved';
      } catch (error) {
        note.textContent = `It could not be drawn: ${messageOf(error)}`;
      }
    });
  }
}
