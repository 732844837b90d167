import type { Recording } from '@tutti/core/simulation';
import type { SaveReport, SaveRequest } from './savingMessages.ts';
import { piecesOf, restOf } from './savingPieces.ts';

/**
 * Writes a recording to a file in a worker of its own; the page copies it there piece by piece, and stays responsive.
 */
export function saveRecording(recording: Recording): Promise<Blob> {
  const worker = new Worker(new URL('./savingWorker.ts', import.meta.url), { type: 'module', name: 'tutti-save' });
  const post = (request: SaveRequest, transfer: ArrayBuffer[] = []) => worker.postMessage(request, transfer);
  const pieces = piecesOf(recording);
  const goOn = () => {
    const { done, value: piece } = pieces.next();
    if (done) post({ kind: 'end', rest: restOf(recording) });
    else post({ kind: 'piece', piece }, [piece.part.buffer]);
  };
  return new Promise<Blob>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<SaveReport>) => {
      if (data.kind === 'more') goOn();
      else if (data.kind === 'file') resolve(data.file);
      else reject(new Error(data.message));
    };
    worker.onerror = (event) => reject(new Error(event.message || 'the writer of recordings did not load'));
    goOn();
  }).finally(() => worker.terminate());
}
