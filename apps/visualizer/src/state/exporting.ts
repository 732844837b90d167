import { download } from '../files.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { saveRecording } from '../worker/recordings.ts';
import { messageOf } from '../worker/task.ts';
import { exportedFile, exportFormats } from './exportFormats.ts';
import { withRecording } from './savedPage.ts';

/** A run that has ended, and the node from whose point of view a page shows it. */
interface ShownRun {
  readonly index: RunIndex;
  readonly node: number;
}

/** A button that saves the run as a file. */
interface RunFile {
  /** Selector of the button. */
  readonly button: string;
  /** Extension of the file, without the dot. */
  readonly extension: string;
  /** Returns the reason why this run has no such file, or undefined if it has one. */
  refusal?(run: ShownRun): string | undefined;
  /** @throws Error if the file cannot be written. */
  write(run: ShownRun): Promise<Blob>;
  /** Text after the size of a saved file. */
  readonly remark?: string;
}

const runFiles: readonly RunFile[] = [
  { button: '#save-run', extension: 'tutti', write: ({ index }) => saveRecording(index.recording) },
  { button: '#keep-page', extension: 'html', write: pageOf, remark: '; the page works offline' },
  ...exportFormats.map((format) => ({
    button: `[data-keep="${format.id}"]`,
    extension: format.extension,
    refusal: ({ index }: ShownRun) => format.refusal(index.recording),
    write: ({ index }: ShownRun) => exportedFile(format, index),
  })),
];

/**
 * Connects the buttons that save the shown run. A button is disabled while its file is written. All of them report
 * their progress, their result and their errors in one note.
 *
 * @param shown returns the shown run, or undefined if it has not ended.
 */
export function exportOnPress(host: HTMLElement, note: HTMLElement, shown: () => ShownRun | undefined): void {
  for (const { button: selector, extension, refusal, write, remark = '' } of runFiles) {
    const button = host.querySelector<HTMLButtonElement>(selector)!;
    button.addEventListener('click', async () => {
      const run = shown();
      const reason = run === undefined ? 'The run has not ended yet' : refusal?.(run);
      note.textContent = reason ?? 'Writing …';
      if (run === undefined || reason !== undefined) return;
      button.disabled = true;
      try {
        const file = await write(run);
        const { nodes, seed } = run.index.recording.scenario;
        download(file, `tutti-${nodes}-${seed}.${extension}`);
        note.textContent = `Saved, ${(file.size / 1e6).toFixed(1)} MB${remark}`;
      } catch (error) {
        note.textContent = `Could not save the file: ${messageOf(error)}`;
      }
      button.disabled = false;
    });
  }
}

/** Returns a run as a single HTML file that plays it offline. @throws Error if the page's template cannot be loaded. */
async function pageOf({ index, node }: ShownRun): Promise<Blob> {
  const [page, file] = await Promise.all([template(), saveRecording(index.recording)]);
  return new Blob([withRecording(page, await base64(file), node)], { type: 'text/html' });
}

async function template(): Promise<string> {
  const answer = await fetch(new URL('./templates/savedRun.html', document.baseURI));
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
