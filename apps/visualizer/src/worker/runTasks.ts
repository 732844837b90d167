import type { RecordedWorld, Recording, Scenario } from '@tutti/simulation';
import type { RunIndex } from '../timeline/runIndex.ts';
import type { KeyedSignature } from './keyedSignature.ts';
import type { Verification } from './signatureWorker.ts';
import { type Task, TaskWorker, task } from './task.ts';

/** Request for one run to the simulation's worker. The page stops the run by ending the worker. */
export interface RunRequest {
  readonly scenario: Scenario;
  /**
   * Virtual time after which a run that has not ended is stopped, ms. Default: the value that `createSimulation` uses.
   */
  readonly giveUpAfterMs?: number | undefined;
  /**
   * False to count messages instead of recording them. Default: messages are recorded if the run has few enough nodes.
   */
  readonly sends?: boolean | undefined;
}

/** Progress report of a run. */
export type RunProgress =
  /** Number of nodes that have signed so far. These reports precede the first event of a run with real signatures. */
  | { readonly kind: 'signing'; readonly signed: number }
  | ({ readonly kind: 'running' } & RunCounts)
  /** Part of the run simulated so far, which the page shows while a run with real signatures continues. */
  | { readonly kind: 'partial'; readonly index: RunIndex };

/** Counts of a run in progress. */
interface RunCounts {
  /** Number of live nodes that have reached the threshold. */
  readonly reached: number;
  /** Number of live nodes. */
  readonly live: number;
  /** Virtual time, µs. */
  readonly nowUs: number;
  /** Number of simulated events. */
  readonly events: number;
}

/** Run that has ended, with the data for the run's figures. */
export interface FinishedRun {
  readonly index: RunIndex;
  /**
   * Final output of the run; undefined if the run only counts signatures, no node reached the threshold, or the run was
   * read from a file.
   */
  readonly output: FinalOutput | undefined;
  /** Name of the library that created the signatures; undefined if there are none, or the run was read from a file. */
  readonly curve: string | undefined;
}

/** Multi-signature with the most signers in a run, with the data needed to verify it. */
export interface FinalOutput {
  /** First node that produced this multi-signature. */
  readonly node: number;
  /** Signature, 96 bytes, compressed G2. */
  readonly signature: Uint8Array;
  /** Flag per node: 1 if the multi-signature contains the node's signature. */
  readonly signers: Uint8Array;
  /** Public keys of all nodes by node id, in compressed G1 encoding, 48 bytes each. */
  readonly publicKeys: readonly Uint8Array[];
  readonly message: Uint8Array;
}

/** Starts one run in a separate worker. */
export function startRun(
  scenario: Scenario,
  options: Omit<RunRequest, 'scenario'> & { readonly progress?: (progress: RunProgress) => void } = {},
): Task<FinishedRun> {
  const { progress, ...rest } = options;
  return task<RunRequest, FinishedRun, RunProgress>(
    new Worker(new URL('./simulationWorker.ts', import.meta.url), { type: 'module', name: 'tutti-run' }),
    'The simulation',
    { scenario, ...rest },
    progress && { progress },
  );
}

/** Reads a recording's file in a separate worker. */
export function openRecording(file: File): Task<FinishedRun> {
  return task<File, FinishedRun>(
    new Worker(new URL('./recordingWorker.ts', import.meta.url), { type: 'module', name: 'tutti-open' }),
    'The recording reader',
    file,
  );
}

/** Column of data in a recording. */
export type SavedColumn = Int32Array<ArrayBuffer> | Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** Piece of one column in a recording, either of the lines or of the world. */
export interface Piece {
  readonly of: 'lines' | 'world';
  readonly name: string;
  /** Number of entries of the whole column. */
  readonly length: number;
  /** Index of the piece's first entry in the column. */
  readonly at: number;
  readonly part: SavedColumn;
}

/** Request to the worker that writes a recording: first the columns in pieces, and then the other data. */
export type SaveRequest =
  | { readonly kind: 'piece'; readonly piece: Piece }
  | { readonly kind: 'end'; readonly rest: Partial<Recording> };

/** Size of a piece, bytes. A piece of this size is copied in 1 to 2 ms. */
const pieceBytes = 1 << 22;

/**
 * Copies a recording's columns in pieces, for callers that must not block for a whole copy. An empty column has one
 * empty piece.
 */
export function* piecesOf(recording: Recording, maxBytes = pieceBytes): Generator<Piece> {
  for (const [of, from] of [
    ['lines', recording],
    ['world', recording.world],
  ] as const) {
    for (const [name, value] of Object.entries(from)) {
      if (!ArrayBuffer.isView(value)) continue;
      const column = value as SavedColumn;
      const entries = Math.max(1, Math.floor(maxBytes / column.BYTES_PER_ELEMENT));
      for (let at = 0; at === 0 || at < column.length; at += entries) {
        yield { of, name, length: column.length, at, part: column.slice(at, at + entries) };
      }
    }
  }
}

/** Returns the data of a recording that are not stored in columns. */
export function restOf(recording: Recording): Partial<Recording> {
  const plain = <T extends object>(value: T) =>
    Object.fromEntries(Object.entries(value).filter(([, part]) => !ArrayBuffer.isView(part))) as Partial<T>;
  return { ...plain(recording), world: plain(recording.world) as RecordedWorld };
}

/**
 * Writes a recording to a file in a separate worker. The page copies the recording to the worker in pieces, and so
 * stays responsive.
 */
export async function saveRecording(recording: Recording): Promise<Blob> {
  const worker = new TaskWorker<SaveRequest, Blob | undefined>(
    new Worker(new URL('./recordingWorker.ts', import.meta.url), { type: 'module', name: 'tutti-save' }),
    'The recording writer',
  );
  try {
    for (const piece of piecesOf(recording))
      await worker.ask({ kind: 'piece', piece }, { transfer: [piece.part.buffer] });
    return (await worker.ask({ kind: 'end', rest: restOf(recording) }))!;
  } finally {
    worker.end();
  }
}

/** Verifies a signature with noble-curves in a separate worker. */
export function verifySignature(signature: KeyedSignature): Promise<Verification> {
  const worker = new Worker(new URL('./signatureWorker.ts', import.meta.url), {
    type: 'module',
    name: 'tutti-verify-once',
  });
  return task<KeyedSignature, Verification>(worker, 'The verifier', signature).result;
}
