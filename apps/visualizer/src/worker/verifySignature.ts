import type { KeyedSignature } from './keyedSignature.ts';
import type { Verification } from './signatureWorker.ts';
import { task } from './task.ts';

/** Verifies a signature with noble-curves in a separate worker. */
export function verifySignature(signature: KeyedSignature): Promise<Verification> {
  const worker = new Worker(new URL('./signatureWorker.ts', import.meta.url), {
    type: 'module',
    name: 'tutti-verify-once',
  });
  return task<KeyedSignature, Verification>(worker, 'The verifier', signature).result;
}
