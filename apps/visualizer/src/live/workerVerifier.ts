import type { RoundVerifier } from '@tutti/transports/browser';
import type { VerifyAnswer, VerifyRequest } from './verifyMessages.ts';

/** A round's verifier in a worker of its own, which ends with the round. */
export function workerVerifier(publicKeys: readonly Uint8Array[], message: Uint8Array): RoundVerifier {
  const worker = new Worker(new URL('./verifyWorker.ts', import.meta.url), { type: 'module', name: 'tutti-verify' });
  const waiting = new Map<number, { resolve: (verdicts: boolean[]) => void; reject: (error: Error) => void }>();
  const ask = (request: VerifyRequest) => worker.postMessage(request);
  let nextId = 1;
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    worker.terminate();
    for (const { reject } of waiting.values()) reject(ended);
    waiting.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<VerifyAnswer>) => {
    if (data.kind === 'failed') return end(new Error(data.message));
    waiting.get(data.id)?.resolve(data.verdicts);
    waiting.delete(data.id);
  };
  worker.onerror = (event) => end(new Error(event.message || 'the verifying worker did not load'));
  ask({ kind: 'round', publicKeys, message });
  return {
    verifyBatch: (claims) =>
      new Promise((resolve, reject) => {
        if (ended !== undefined) return reject(ended);
        waiting.set(nextId, { resolve, reject });
        ask({ kind: 'claims', id: nextId++, claims });
      }),
    close: async () => end(new Error('the round is closed')),
  };
}
