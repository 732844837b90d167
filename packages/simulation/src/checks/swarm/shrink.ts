import { defaultScenario, type Scenario } from '../../scenario/scenario.ts';
import { shrink } from '../shrink.ts';

/**
 * Makes a scenario that breaks a claim smaller for as long as it breaks the same one: fewer faults, attacks and nodes,
 * no plan of an attack, and of every other field the plainest value. Deterministic.
 *
 * @param breaksIt runs a scenario and says whether it breaks that claim.
 */
export function shrinkScenario(scenario: Scenario, breaksIt: (smaller: Scenario) => boolean): Scenario {
  let smallest = shrink(scenario, breaksIt).scenario;
  const tryPlainer = (plainer: Scenario): boolean => {
    if (JSON.stringify(plainer) === JSON.stringify(smallest) || !breaksIt(plainer)) return false;
    smallest = plainer;
    return true;
  };
  // What one step made plainer may let another do what it could not before.
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

/** What fewer nodes, attacks and faults are not asked of: the first call sees to these, and the last one tries again. */
const shrunkOtherwise: readonly string[] = [
  'protocol',
  'nodes',
  'seed',
  'without',
  'attacks',
  'faults',
] satisfies (keyof Scenario)[];

/** All others, those that matter most first. */
const plainFields = [...new Set(['dead', 'desyncMs', 'network', ...Object.keys(defaultScenario)])].filter(
  (field) => !shrunkOtherwise.includes(field),
) as readonly (keyof Scenario)[];
