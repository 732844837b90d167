import { NodeRole, perfettoTrace, type Recording, shivizLog } from '@tutti/simulation';
import {
  csvParts,
  download,
  fetchedFile,
  originOfCommand,
  parquetFile,
  rounded,
  type TableLine,
  tableOf,
} from '../files.ts';
import { heldSinceUs } from '../timeline/heldSteps.ts';
import type { RunIndex } from '../timeline/runIndex.ts';
import { saveRecording } from '../worker/runTasks.ts';
import { messageOf } from '../worker/task.ts';
import { command } from './pageState.ts';
import { withRecording } from './savedPage.ts';

/** Run that has ended, and the node from whose point of view a page shows it. */
interface ShownRun {
  readonly index: RunIndex;
  readonly node: number;
}

/** File in which a page saves the shown run. */
interface RunFile {
  /** CSS selector of the button. */
  readonly button: string;
  /** Extension of the file, without the dot. */
  readonly extension: string;
  /** Returns the reason why a run cannot be saved in such a file, or undefined if it can. */
  refusal?(recording: Recording): string | undefined;
  /** @throws Error if the file cannot be written. */
  write(run: ShownRun): Promise<Blob>;
  /** Text that follows the size of a saved file. */
  readonly remark?: string;
}

/** Files for other tools, in the order of their buttons. */
export const exportFormats: readonly RunFile[] = [
  {
    button: '[data-save="perfetto"]',
    extension: 'perfetto-trace',
    write: ({ index }) => fileOf('application/octet-stream', perfettoTrace(index.recording)),
  },
  {
    button: '[data-save="shiviz"]',
    extension: 'log',
    refusal: ({ sends }) => (sends ? undefined : 'ShiViz: this run was recorded without its messages'),
    write: ({ index }) => fileOf('text/plain', shivizLog(index.recording)),
  },
  {
    button: '[data-save="csv"]',
    extension: 'csv',
    write: ({ index }) => fileOf('text/csv', csvParts(nodeLines(index))),
  },
  {
    button: '[data-save="parquet"]',
    extension: 'parquet',
    async write({ index }) {
      const { scenario, result } = index.recording;
      return parquetFile(tableOf(nodeLines(index)), originOfCommand(command(scenario), result));
    },
  },
];

const runFiles: readonly RunFile[] = [
  { button: '#save-run', extension: 'tutti', write: ({ index }) => saveRecording(index.recording) },
  { button: '#save-page', extension: 'html', write: pageOf, remark: '; the page works offline' },
  ...exportFormats,
];

const roles = { [NodeRole.dead]: 'dead', [NodeRole.honest]: 'honest', [NodeRole.byzantine]: 'byzantine' } as const;

/**
 * Yields one row per node: its role, its place, the slowness of its machine, its start, and the times at which it held
 * half of the threshold and all of it, ms.
 */
export function* nodeLines({ recording: { world }, steps }: RunIndex): Generator<TableLine> {
  yield ['node', 'role', 'region', 'cpu_factor', 'start_ms', 'half_ms', 'threshold_ms'];
  const inMs = (us: number | undefined) => (us === undefined || us < 0 ? null : us / 1000);
  for (let id = 0; id < world.nodes; id++) {
    const role = roles[world.role[id] as NodeRole];
    const since = (weight: number) => (role === 'honest' ? inMs(heldSinceUs(steps, id, weight)) : null);
    const region = world.regionNames[world.region[id]!]!;
    const factor = rounded(world.cpuFactor[id]!, 4);
    yield [id, role, region, factor, inMs(world.startUs[id]), since(world.threshold / 2), since(world.threshold)];
  }
}

/** Number of characters or bytes that are written before the page can do other work. */
const lengthAtOnce = 1 << 17;

/** Writes the parts of a file. The page can do other work between parts. */
async function fileOf(
  type: string,
  parts: Iterable<Uint8Array<ArrayBuffer> | string> | AsyncIterable<Uint8Array<ArrayBuffer> | string>,
): Promise<Blob> {
  const written: (Uint8Array<ArrayBuffer> | string)[] = [];
  let length = 0;
  for await (const part of parts) {
    written.push(part);
    length += part.length;
    if (length >= lengthAtOnce) await new Promise((resolve) => setTimeout(resolve));
    length %= lengthAtOnce;
  }
  return new Blob(written, { type });
}

/**
 * Connects the buttons that save the shown run. A button is disabled while its file is written. All buttons report
 * progress, results and errors in one shared note.
 *
 * @param shown returns the shown run, or undefined if it has not ended.
 */
export function exportOnPress(host: HTMLElement, note: HTMLElement, shown: () => ShownRun | undefined): void {
  for (const { button: selector, extension, refusal, write, remark = '' } of runFiles) {
    const button = host.querySelector<HTMLButtonElement>(selector)!;
    button.addEventListener('click', async () => {
      const run = shown();
      const reason = run === undefined ? 'The run has not ended yet' : refusal?.(run.index.recording);
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

/**
 * Returns a run as a single HTML file that replays the run offline. @throws Error if the page's template cannot be
 * loaded.
 */
async function pageOf({ index, node }: ShownRun): Promise<Blob> {
  const template = fetchedFile(new URL('./templates/savedRun.html', document.baseURI));
  const [page, file] = await Promise.all([template, saveRecording(index.recording)]);
  return new Blob([withRecording(await page.text(), await base64(file), node)], { type: 'text/html' });
}

function base64(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.readAsDataURL(file);
  });
}
