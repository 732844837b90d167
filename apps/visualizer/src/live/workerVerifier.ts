import type { RoundVerifier, SignatureClaim } from '@tutti/transports';
import { TaskWorker } from '../worker/task.ts';

/** Requests to the verifying worker: first to open a round, then to verify batches of claims. */
export type VerifyRequest =
  | { readonly kind: 'round'; readonly publicKeys: readonly Uint8Array[]; readonly message: Uint8Array }
  | { readonly kind: 'claims'; readonly claims: readonly SignatureClaim[] };

/** A round's verifier in a worker of its own, which ends with the round. */
export function workerVerifier(publicKeys: readonly Uint8Array[], message: Uint8Array): RoundVerifier {
  const worker = new TaskWorker<VerifyRequest, boolean[]>(
    new Worker(new URL('./verifyWorker.ts', import.meta.url), { type: 'module', name: 'tutti-verify' }),
    'The verifier',
  );
  // A round that cannot be opened fails each batch of claims about it, too.
  worker.ask({ kind: 'round', publicKeys, message }).catch(() => {});
  return {
    verifyBatch: (claims) => worker.ask({ kind: 'claims', claims }),
    close: async () => worker.end(new Error('the round is closed')),
  };
}
