import type { Recording } from '@tutti/simulation';
import type { FinishedRun } from './messages.ts';
import { piecesOf, restOf, type SaveRequest } from './savingPieces.ts';
import { type Task, TaskWorker, task } from './task.ts';

/** Reads a recording's file in a separate worker. */
export function openRecording(file: File): Task<FinishedRun> {
  return task<File, FinishedRun>(
    new Worker(new URL('./recordingWorker.ts', import.meta.url), { type: 'module', name: 'tutti-open' }),
    'The reader of recordings',
    file,
  );
}

/**
 * Writes a recording to a file in a separate worker. The page copies the recording there in pieces, and stays
 * responsive.
 */
export async function saveRecording(recording: Recording): Promise<Blob> {
  const worker = new TaskWorker<SaveRequest, Blob | undefined>(
    new Worker(new URL('./savingWorker.ts', import.meta.url), { type: 'module', name: 'tutti-save' }),
    'The writer of recordings',
  );
  try {
    for (const piece of piecesOf(recording))
      await worker.ask({ kind: 'piece', piece }, { transfer: [piece.part.buffer] });
    return (await worker.ask({ kind: 'end', rest: restOf(recording) }))!;
  } finally {
    worker.end();
  }
}
