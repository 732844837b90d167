import type { Recording } from '@tutti/simulation';
import { piecesOf, restOf, type SaveRequest } from './savingPieces.ts';
import { TaskWorker } from './task.ts';

/**
 * Writes a recording to a file in a worker of its own; the page copies it there piece by piece, and stays responsive.
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
