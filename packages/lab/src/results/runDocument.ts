import { screeningRefusals, wireRefusals } from '@tutti/core';
import { faultKinds, type RunPercentiles, type RunResult } from '@tutti/simulation';

const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

const stakes = { total: null, live: null, required: null, signed: none(['min', 'mean', 'max']) };
const refusals = none([...new Set([...screeningRefusals, ...wireRefusals, 'forged'])]);
const injections = none([...faultKinds, 'missed']);

interface Inputs {
  readonly inputs?: readonly object[];
}

const ranks = none(['p50', 'p90', 'p99']);
const measures = ['timeToThresholdMs', 'messagesSent', 'messagesReceived', 'bytesSent', 'checked'] as const;

/** Adds percentiles to the measures of a run; runs of earlier versions have none. */
function withPercentiles(run: Pick<RunResult, (typeof measures)[number]>, percentiles?: RunPercentiles): object {
  return Object.fromEntries(measures.map((name) => [name, { ...run[name], ...ranks, ...percentiles?.[name] }]));
}

/**
 * Returns a run as a row of a table. The row has a field for every value that some run may have, or null. So tables of
 * different sweeps have the same columns.
 */
export function runDocument<R extends RunResult>(of: R & Inputs): object {
  const { inputs, stake, refused, injected, percentiles, ...run } = of;
  return {
    ...run,
    ...withPercentiles(run, percentiles),
    inputs: inputs ?? null,
    stake: stake ?? stakes,
    refused: { ...refusals, ...refused },
    injected: { ...injections, ...injected },
  };
}
