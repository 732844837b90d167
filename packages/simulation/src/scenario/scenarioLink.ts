import { expected } from '@tutti/core/settings';
import { defaultScenario, type Scenario, validateScenario } from './scenario.ts';
import { scenarioFields, writeScenario } from './scenarioFields.ts';

/** What a link means by a field that it does not name: the page's first run. */
export const linkedScenario: Scenario = { ...defaultScenario, nodes: 64, scheme: 'bls' };

/** Named in every link, so that a link stays what it is should the page's first run ever change. */
const alwaysLinked = ['scheme', 'network', 'dead', 'seed'];

/** Links are read aloud and typed, so the number of nodes keeps its one letter. */
const nodesInLinks = 'n';

/** A scenario as the parameters of a link to the page. */
export function encodeScenario(scenario: Scenario): LinkParameters {
  const fields = writeScenario(scenario, linkedScenario, ['nodes', ...alwaysLinked]);
  return fields.map(([name, text]) => [name === 'nodes' ? nodesInLinks : name, text]);
}

/** In the order in which they stand in the link. */
export type LinkParameters = [name: string, text: string][];

/** A scenario read from a link, and the parts of the link that are not in it. */
export interface LinkedScenario {
  readonly scenario: Scenario;
  /** One line for each parameter that was refused: what was expected, what came, what is used instead. */
  readonly notices: readonly string[];
}

/**
 * Reads the scenario of a link, which anyone may have written by hand. What is missing is as in {@link linkedScenario};
 * nothing that cannot be taken is passed over in silence.
 *
 * @param parameters those of the link, in order.
 * @param others names of parameters that say something else than the scenario.
 */
export function decodeScenario(
  parameters: Iterable<readonly [name: string, text: string]>,
  others: readonly string[] = [],
): LinkedScenario {
  if (typeof (parameters as Partial<typeof parameters>)?.[Symbol.iterator] !== 'function')
    throw new TypeError(expected('parameters', 'a list of names and texts', parameters));
  let scenario = linkedScenario;
  const notices: string[] = [];
  const given = new Set<string>();
  for (const [parameter, text] of parameters) {
    if (others.includes(parameter)) continue;
    const name = parameter === nodesInLinks ? 'nodes' : parameter;
    const field = scenarioFields.find((one) => one.name === name);
    if (field === undefined) {
      notices.push(`${parameter.slice(0, 40)}: nothing by this name can be chosen; left out`);
    } else if (given.has(field.name) && !field.repeatable) {
      notices.push(`${parameter}: given more than once; the first one is taken`);
    } else {
      given.add(field.name);
      try {
        scenario = field.read(parameter, text, scenario);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        const instead = field.write(scenario).join(', ');
        notices.push(`${error.message}; ${field.repeatable ? 'left out' : `${instead} is taken`}`);
      }
    }
  }
  try {
    validateScenario(scenario);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    notices.push(`${error.message}; everybody is honest and nothing breaks instead`);
    scenario = { ...scenario, dead: 0, absent: 0, attacks: [], faults: [] };
    scenario = isSound(scenario) ? scenario : linkedScenario;
  }
  return { scenario, notices };
}

function isSound(scenario: Scenario): boolean {
  try {
    validateScenario(scenario);
    return true;
  } catch {
    return false;
  }
}
