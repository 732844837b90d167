import { type Scenario, simulate } from '@tutti/simulation';
import { answerTasks } from '../worker/answerTasks.ts';
import { type Quantity, quantities } from './figurePlan.ts';

export interface SweepRequest {
  readonly scenarios: readonly Scenario[];
  readonly quantity: Quantity;
}

/** Virtual time at which a run that does not end is given up, ms. */
const giveUpAfterMs = 60_000;

/** What each run measured, in their order, undefined for nothing; on the way, how many runs are done. */
answerTasks<SweepRequest, readonly (number | undefined)[], number>(({ scenarios, quantity }, progress) =>
  scenarios.map((scenario, place) => {
    const value = quantities[quantity].of(simulate(scenario, { giveUpAfterMs }));
    progress(place + 1);
    return value;
  }),
);
