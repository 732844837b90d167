import type { TableOrigin } from '@tutti/lab/parquet';
import { csvText, download, parquetFile, type TableLines, tableOf } from '../files.ts';
import { asPng, asSvg, pictureOf } from '../views/pictureOf.ts';

/** Texts in a picture's file, in addition to the picture. */
export interface PictureWords {
  readonly title: string;
  /** Origin of the picture, with which the same run can be repeated. */
  readonly origin: TableOrigin;
  /** Name of the file without its extension. */
  readonly name: string;
}

/** Content that can be exported as a picture or as numbers. */
export interface Exportable {
  readonly words: PictureWords;
  /** Waits for a view that is not immediately available. @returns whether the view is now available. */
  settled?(view: string): Promise<boolean>;
  /** Returns the numbers of the named view, or undefined if the view has none. */
  numbers(view: string): TableLines | undefined;
}

/** File format of an exported view. */
export type ExportType = 'svg' | 'png' | 'csv' | 'parquet';

/**
 * Exports a view at the current moment. @returns a description of the result. @throws Error if the view cannot be
 * drawn.
 */
export async function exportView(shown: Exportable | undefined, name: string, as: ExportType): Promise<string> {
  const isThere = (await shown?.settled?.(name)) ?? true;
  const view = document.querySelector<HTMLElement>(`#${name}, #${name}-chart`)!;
  const isPicture = as === 'svg' || as === 'png';
  const numbers = isPicture ? undefined : shown?.numbers(name);
  if (!shown || !isThere || view.clientHeight === 0 || (!isPicture && numbers === undefined)) {
    return name === 'queue'
      ? 'There is no queue to draw. The queue is available only for honest nodes, in Handel runs with up to 1,024 nodes'
      : 'This view is not available for this run';
  }
  const file = async () => {
    const { title, origin } = shown.words;
    if (numbers !== undefined) {
      if (as === 'csv') return new Blob([csvText(numbers)], { type: 'text/csv' });
      return parquetFile(tableOf(numbers), origin);
    }
    const picture = pictureOf(view, title, `npx tutti ${origin.command}`);
    return as === 'svg' ? asSvg(picture) : asPng(picture, 2);
  };
  download(await file(), `${shown.words.name}-${name}.${as}`);
  return 'Saved';
}
