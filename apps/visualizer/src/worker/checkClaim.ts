import type { Claim } from './check.ts';
import type { Verdict } from './checkWorker.ts';
import { task } from './task.ts';

/** Has a claim checked by noble-curves in a worker of its own. */
export function checkClaim(claim: Claim): Promise<Verdict> {
  const worker = new Worker(new URL('./checkWorker.ts', import.meta.url), { type: 'module', name: 'tutti-check' });
  return task<Claim, Verdict>(worker, 'The checker', claim).result;
}
