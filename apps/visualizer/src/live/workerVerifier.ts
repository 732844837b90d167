import type { RoundVerifier, SignatureClaim } from '@tutti/transports';
import { TaskWorker } from '../worker/task.ts';

/** Requests to the verifying worker: first to open a round, then to verify batches of claims. */
export type VerifyRequest =
  | { readonly kind: 'round'; readonly publicKeys: readonly Uint8Array[]; readonly message: Uint8Array }
  | { readonly kind: 'claims'; readonly claims: readonly SignatureClaim[] };

/** Verifier of one round in its own worker, which ends with the round. */
export function workerVerifier(publicKeys: readonly Uint8Array[], message: Uint8Array): RoundVerifier {
  const worker = new TaskWorker<VerifyRequest, boolean[]>(
    new Worker(new URL('./verifyWorker.ts', import.meta.url), { type: 'module', name: 'tutti-verify' }),
    'The verifier',
  );
  // If the round cannot be opened, each batch of claims fails as well.
  worker.ask({ kind: 'round', publicKeys, message }).catch(() => {});
  return {
    verifyBatch: (claims) => worker.ask({ kind: 'claims', claims }),
    close: async () => worker.end(new Error('the round is closed')),
  };
}
