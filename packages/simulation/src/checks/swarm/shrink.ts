import { defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import { shrink } from '../shrink.ts';

/**
 * Shrinks a scenario for as long as it still violates the same claim. Tries fewer faults, attacks and nodes, attacks
 * without plans, and the simplest value of every other field. Deterministic.
 *
 * @param breaksIt runs a scenario and returns whether it violates that claim.
 */
export function shrinkScenario(scenario: Scenario, breaksIt: (smaller: Scenario) => boolean): Scenario {
  let smallest = shrink(scenario, breaksIt).scenario;
  const tryPlainer = (plainer: Scenario): boolean => {
    if (JSON.stringify(plainer) === JSON.stringify(smallest) || !breaksIt(plainer)) return false;
    smallest = plainer;
    return true;
  };
  // A simplification may make another one possible.
  for (let goesOn = true; goesOn; ) {
    goesOn = false;
    for (const field of plainFields) goesOn = tryPlainer({ ...smallest, [field]: plainest[field] }) || goesOn;
    goesOn =
      tryPlainer({ ...smallest, attacks: smallest.attacks.map(({ name, share }) => ({ name, share })) }) || goesOn;
    goesOn = tryPlainer(shrink(smallest, breaksIt).scenario) || goesOn;
  }
  return smallest;
}

const plainest: Scenario = { ...defaultScenario, network: 'constant:10' };

/** Fields that the first call of `shrink` handles. The last call tries them again. */
const shrunkOtherwise: readonly string[] = [
  'protocol',
  'nodes',
  'seed',
  'without',
  'attacks',
  'faults',
] satisfies (keyof Scenario)[];

/** All other fields, the most important first. */
const plainFields = [...new Set(['dead', 'desyncMs', 'network', ...Object.keys(defaultScenario)])].filter(
  (field) => !shrunkOtherwise.includes(field),
) as readonly (keyof Scenario)[];
