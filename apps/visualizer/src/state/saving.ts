import type { Recording } from '@tutti/simulation';
import { download } from '../files.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { saveRecording } from '../worker/recordings.ts';
import { messageOf } from '../worker/task.ts';
import { keepings, kept } from './keeping.ts';
import { withRecording } from './keptPage.ts';

/**
 * Returns a run as a single HTML file that plays it without a network. @throws Error if a file of the page cannot be
 * loaded.
 */
async function keepPage(recording: Recording, node: number): Promise<Blob> {
  const [page, file] = await Promise.all([emptyPage(), saveRecording(recording)]);
  return new Blob([withRecording(page, await base64(file), node)], { type: 'text/html' });
}

async function emptyPage(): Promise<string> {
  const answer = await fetch(new URL('./kept/page.html', document.baseURI));
  if (!answer.ok) throw new Error(`the template of the saved page: ${answer.status} ${answer.statusText}`);
  return answer.text();
}

function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(file);
  });
}

/** Writes the shown run to a file when the button is pressed, and shows the progress on the button. */
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
    button.textContent = saved ? 'Saved' : 'Could not save the file';
    button.disabled = false;
    setTimeout(() => {
      button.textContent = words;
    }, 1600);
  });
}

/** Adds buttons for the export formats of other tools. */
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

/** Adds a button that exports the run as a single HTML file, from the selected node's point of view. */
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
      note.textContent = `Saved, ${(page.size / 1e6).toFixed(1)} MB; the page works offline`;
    } catch (error) {
      note.textContent = `Could not save the file: ${messageOf(error)}`;
    }
    button.disabled = false;
  });
}
