/**
 * Target length of a sample, ms: long compared with the clock's resolution, short compared with changes of the
 * machine's speed.
 */
export const sampleMs = 20;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns milliseconds of the process's CPU time, which does not count other processes of a shared machine. */
const nowMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Returns the milliseconds of one call, averaged over `calls`. */
export function timed(operation, calls) {
  const start = nowMs();
  for (let i = 0; i < calls; i++) operation();
  return (nowMs() - start) / calls;
}

/** Returns the number of calls that fill a sample. It also warms the operation up. */
export function callsFor(operation) {
  timed(operation, 1);
  let calls = 1;
  for (;;) {
    const ms = timed(operation, calls) * calls;
    if (ms >= sampleMs) return calls;
    calls *= 2;
  }
}

/** Formats milliseconds as the benchmark pages show them. */
export const shownMs = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4));
