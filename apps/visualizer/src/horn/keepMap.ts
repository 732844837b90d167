import { messageOf } from '../messageOf.ts';
import { download } from '../state/download.ts';
import type { Frontier } from './networkFile.ts';

/** Buttons that keep the map of the shortest slot as a table. @param version of the code that played it. */
export function keepMapOnPress(host: HTMLElement, frontier: Frontier, version: string): void {
  const note = host.querySelector<HTMLElement>('[role="status"]')!;
  for (const form of ['csv', 'parquet'] as const)
    host.querySelector(`[data-table="${form}"]`)!.addEventListener('click', async () => {
      try {
        // Few readers ask for it.
        const { mapFile } = await import('./mapTable.ts');
        download(await mapFile(frontier, version, form), `tutti-slots.${form}`);
        note.textContent = 'Saved';
      } catch (error) {
        note.textContent = `It could not be saved: ${messageOf(error)}`;
      }
    });
}
