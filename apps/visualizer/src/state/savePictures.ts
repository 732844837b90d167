import { messageOf } from '../messageOf.ts';
import type { Keepable, KeptAs } from './keepView.ts';

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
