import type { KeyedSignature } from './check.ts';
import type { Verification } from './checkWorker.ts';
import { task } from './task.ts';

/** Has a claim checked by noble-curves in a worker of its own. */
export function checkClaim(claim: KeyedSignature): Promise<Verification> {
  const worker = new Worker(new URL('./checkWorker.ts', import.meta.url), { type: 'module', name: 'tutti-check' });
  return task<KeyedSignature, Verification>(worker, 'The checker', claim).result;
}
