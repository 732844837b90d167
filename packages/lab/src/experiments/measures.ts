import type { RunResult, Spread } from '@tutti/simulation';

/** What is read off a run. */
export interface Measure {
  readonly label: string;
  readonly unit: string;
  /**
   * Over the run's live nodes; undefined when there is nothing to measure, as the time of a threshold that nobody
   * reached.
   */
  of(run: RunResult): Spread | undefined;
}

export const timeMs: Measure = {
  label: 'time to the threshold',
  unit: 'ms',
  of: (run) => (run.reached === 0 ? undefined : run.timeToThresholdMs),
};

export const bytesSent: Measure = { label: 'bytes sent per node', unit: 'B', of: (run) => run.bytesSent };

export const messagesSent: Measure = { label: 'messages sent per node', unit: '', of: (run) => run.messagesSent };

export const messagesReceived: Measure = {
  label: 'messages received per node',
  unit: '',
  of: (run) => run.messagesReceived,
};

export const checked: Measure = { label: 'signatures checked per node', unit: '', of: (run) => run.checked };

export const checkedInvalid: Measure = {
  label: 'invalid contributions checked per node',
  unit: '',
  of: (run) => run.checkedInvalid,
};

/** Checks of one contribution, or of many together. */
export const checks: Measure = { label: 'checks per node', unit: '', of: (run) => run.checks };

/** Of a node's own core, so it depends on how slow the node's machine was drawn to be. */
export const checkingMs: Measure = { label: 'CPU for checks per node', unit: 'ms', of: (run) => run.checkingMs };

/** The most that was kept of peers, in integers of 32 bits. */
export const keptInts: Measure = { label: 'integers kept about peers', unit: '', of: (run) => run.keptInts };

/** Live nodes that had not reached the threshold when the run was given up. */
export const neverDonePercent: Measure = {
  label: 'live nodes that never finish',
  unit: '%',
  of: ({ live, reached }) => single((100 * (live - reached)) / live),
};

/**
 * What nodes measured of themselves, each from its own start to its own first output, as those of the published runs
 * did (v1.03 section 7.1).
 */
export const own = {
  timeMs: { ...timeMs, of: (run) => (run.reached === 0 ? undefined : run.untilThreshold.timeMs) },
  bytesSent: { ...bytesSent, of: (run) => (run.reached === 0 ? undefined : run.untilThreshold.bytesSent) },
  checked: { ...checked, of: (run) => (run.reached === 0 ? undefined : run.untilThreshold.checked) },
} as const satisfies Record<string, Measure>;

/** How far a run's mean is from others' measurement at the same registry size. */
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
