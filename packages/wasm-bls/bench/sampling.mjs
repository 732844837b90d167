/**
 * Target duration of a sample, ms: long compared with the clock's resolution, and short compared with changes in the
 * machine's speed.
 */
const sampleMs = 20;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Returns the CPU time of this process, ms, which excludes other processes on a shared machine. */
const nowMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Returns the CPU time of one call, averaged over `calls` calls, ms. */
export function timed(operation, calls) {
  const start = nowMs();
  for (let i = 0; i < calls; i++) operation();
  return (nowMs() - start) / calls;
}

/** Returns the number of calls that fill a sample. The function also warms up the operation. */
export function callsFor(operation) {
  timed(operation, 1);
  let calls = 1;
  for (;;) {
    const ms = timed(operation, calls) * calls;
    if (ms >= sampleMs) return calls;
    calls *= 2;
  }
}

/** Formats a duration in milliseconds for the benchmark pages. */
export const shownMs = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4));
