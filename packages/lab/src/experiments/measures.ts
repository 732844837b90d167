import { expected } from '@tutti/core/input';
import type { RunResult, Spread } from '@tutti/simulation';

/** A quantity of a run. */
export interface Measure {
  readonly label: string;
  readonly unit: string;
  /**
   * Returns the quantity over the run's live nodes; undefined if the run has no value, such as the time to a threshold
   * that no node reached.
   */
  of(run: RunResult): Spread | undefined;
}

/** Time to the threshold, ms. */
export const timeMs: Measure = {
  label: 'time to the threshold',
  unit: 'ms',
  of: (run) => (run.reached === 0 ? undefined : run.timeToThresholdMs),
};

/** Bytes sent per node. */
export const bytesSent: Measure = { label: 'bytes sent per node', unit: 'B', of: (run) => run.bytesSent };

/** Messages sent per node. */
export const messagesSent: Measure = { label: 'messages sent per node', unit: '', of: (run) => run.messagesSent };

/** Messages received per node. */
export const messagesReceived: Measure = {
  label: 'messages received per node',
  unit: '',
  of: (run) => run.messagesReceived,
};

/** Contributions verified per node. */
export const checked: Measure = { label: 'signatures checked per node', unit: '', of: (run) => run.checked };

/** Invalid contributions verified per node. */
export const checkedInvalid: Measure = {
  label: 'invalid contributions checked per node',
  unit: '',
  of: (run) => run.checkedInvalid,
};

/** Number of checks per node. A check verifies one contribution, or several together. */
export const checks: Measure = { label: 'checks per node', unit: '', of: (run) => run.checks };

/** CPU time of a node's checks on its own core, ms. The CPU time depends on the speed drawn for the node's machine. */
export const checkingMs: Measure = { label: 'CPU time for checks per node', unit: 'ms', of: (run) => run.checkingMs };

/** Number of 32-bit integers that a node stores: the maxima for pending contributions and for data about peers. */
export const keptInts: Measure = { label: 'stored integers about peers', unit: '', of: (run) => run.keptInts };

/** Share of live nodes that had not reached the threshold at the run's time limit, percent. */
export const neverDonePercent: Measure = {
  label: 'live nodes that never finish',
  unit: '%',
  of: ({ live, reached }) => single((100 * (live - reached)) / live),
};

/**
 * Measures of each node that reached the threshold, from its own start to its own first output, as in the published
 * runs (v1.03 section 7.1).
 */
export const own = {
  timeMs: { ...timeMs, of: (run) => (run.reached === 0 ? undefined : run.untilThreshold.timeMs) },
  bytesSent: { ...bytesSent, of: (run) => (run.reached === 0 ? undefined : run.untilThreshold.bytesSent) },
  checked: { ...checked, of: (run) => (run.reached === 0 ? undefined : run.untilThreshold.checked) },
} as const satisfies Record<string, Measure>;

/**
 * Returns a measure of the relative difference of a run's mean from the published mean, percent.
 *
 * @param published returns the published mean for a number of nodes.
 */
export function deviationPercent(measure: Measure, published: (nodes: number) => number): Measure {
  return {
    label: `${measure.label}, from the published mean`,
    unit: '%',
    of(run) {
      const here = measure.of(run);
      return here === undefined ? undefined : single(100 * (here.mean / published(run.nodes) - 1));
    },
  };
}

function single(value: number): Spread {
  return { min: value, mean: value, max: value };
}

/**
 * Formats a number with digits in groups of three. An integer keeps all digits. Any other number keeps all digits
 * before the point, and has as many decimals as three significant digits need, but at most two.
 *
 * @throws TypeError for a value that is not a number.
 */
export function threeDigits(value: number): string {
  if (typeof value !== 'number') throw new TypeError(expected('value', 'a number', value));
  const size = Math.abs(value);
  const digits = Number.isInteger(value) || size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** Returns the relative difference of a number from another as text: `12 % more`, or `12 % fewer` if it is smaller. */
export function change(value: number, from: number, more = 'more', less = 'fewer'): string {
  const percent = 100 * (value / from - 1);
  return `${threeDigits(Math.abs(percent))} % ${percent < 0 ? less : more}`;
}
