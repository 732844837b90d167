/** A sample's aimed length: long against the clock's resolution, short against the machine's moods. */
export const sampleMs = 20;

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Milliseconds of the process's own CPU time, since a machine that is shared stops the clock of none. */
const nowMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Milliseconds for one call, averaged over `calls`. */
export function timed(operation, calls) {
  const start = nowMs();
  for (let i = 0; i < calls; i++) operation();
  return (nowMs() - start) / calls;
}

/** How many calls fill a sample; also warms the operation up. */
export function callsFor(operation) {
  timed(operation, 1);
  let calls = 1;
  for (;;) {
    const ms = timed(operation, calls) * calls;
    if (ms >= sampleMs) return calls;
    calls *= 2;
  }
}

/** As the pages of the benchmarks show it. */
export const shownMs = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 1 ? ms.toFixed(2) : ms.toFixed(4));
