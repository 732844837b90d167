import type { Claim } from './check.ts';
import type { Verdict } from './checkWorker.ts';

/** Has a claim checked by noble-curves in a worker of its own. */
export function checkClaim(claim: Claim): Promise<Verdict> {
  const worker = new Worker(new URL('./checkWorker.ts', import.meta.url), { type: 'module', name: 'tutti-check' });
  return new Promise<Verdict>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Verdict>) => resolve(data);
    worker.onerror = (event) => reject(new Error(event.message || 'the checking worker did not load'));
    worker.postMessage(claim);
  }).finally(() => worker.terminate());
}
