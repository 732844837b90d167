import { screeningRefusals, wireRefusals } from '@tutti/core';
import { faultKinds, type RunResult } from '@tutti/simulation';

const none = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, null]));

const stakes = { total: null, live: null, required: null, signed: none(['min', 'mean', 'max']) };
const refusals = none([...new Set([...screeningRefusals, ...wireRefusals, 'forged'])]);
const injections = none([...faultKinds, 'missed']);

interface Inputs {
  readonly inputs?: readonly object[];
}

/**
 * A run as the row of a table: with a field for everything that some run may have, null where this one has nothing.
 * Tables of different sweeps have the same columns.
 */
export function runDocument<R extends RunResult>({ inputs, stake, refused, injected, ...run }: R & Inputs): object {
  return {
    ...run,
    inputs: inputs ?? null,
    stake: stake ?? stakes,
    refused: { ...refusals, ...refused },
    injected: { ...injections, ...injected },
  };
}
