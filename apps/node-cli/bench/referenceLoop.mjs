import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

const steps = 300_000_000;

/** Integer arithmetic in registers: what the cores themselves give, without memory. */
function loop() {
  let state = 1;
  for (let step = 0; step < steps; step++) state = (Math.imul(state, 1664525) + 1013904223) | 0;
  return state;
}

if (!isMainThread) parentPort.postMessage(loop());

/**
 * How many times as much of the loop is done when all cores do it at once: what any program can hope for at this
 * moment.
 */
export async function referenceScaling() {
  const one = await wallOf(1);
  const cores = availableParallelism();
  return (cores * one) / (await wallOf(cores));
}

async function wallOf(threads) {
  const began = performance.now();
  const self = fileURLToPath(import.meta.url);
  await Promise.all(
    Array.from({ length: threads }, () => {
      const worker = new Worker(self);
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    }),
  );
  return performance.now() - began;
}
