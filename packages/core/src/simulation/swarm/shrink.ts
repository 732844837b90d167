import type { ClaimName } from '../checkers/claims.ts';
import { shrink } from '../faults/shrink.ts';
import { defaultScenario, type Scenario } from '../scenario.ts';
import { brokenClaim } from './trial.ts';

/**
 * Makes a scenario that breaks a claim smaller for as long as it breaks the same one: fewer faults, attacks and nodes, and of every other
 * field the plainest value. Deterministic.
 */
export function shrinkScenario(scenario: Scenario, claim: ClaimName): Scenario {
  const breaksIt = (smaller: Scenario): boolean => brokenClaim(smaller)?.claim === claim;
  let smallest = shrink(scenario, breaksIt).scenario;
  for (const field of plainFields) {
    const plainer = { ...smallest, [field]: plainest[field] };
    if (plainer[field] !== smallest[field] && breaksIt(plainer)) smallest = plainer;
  }
  return shrink(smallest, breaksIt).scenario;
}

const plainest: Scenario = { ...defaultScenario, network: 'constant:10' };

/** What is left after fewer nodes, attacks and faults, which the first call sees to and the last one tries again. */
const plainFields = [
  'dead',
  'desyncMs',
  'network',
  'threshold',
  'periodMs',
  'levelStartMs',
  'fastPath',
  'verifyMs',
  'priorities',
] as const satisfies readonly (keyof Scenario)[];
