import type { Recording } from '@tutti/core';
import { saveRecording } from '../worker/saveRecording.ts';

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

function download(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser has taken hold of the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
