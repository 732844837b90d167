import { expected } from '@tutti/core/input';
import { defaultScenario, type Scenario, validateScenario } from './scenario.ts';
import { scenarioFields, writeScenario } from './scenarioFields.ts';

/** Default values for fields that a link does not name, taken from the page's first run. */
export const linkedScenario: Scenario = { ...defaultScenario, nodes: 64, scheme: 'bls' };

/** Fields that every link names, so that a link keeps its meaning if the page's first run changes. */
const alwaysLinked = ['scheme', 'network', 'dead', 'seed'];

/** Parameter for the number of nodes. Links are read aloud and typed, so this parameter keeps its one-letter name. */
const nodesInLinks = 'n';

/** Present names of parameters by their former names, which links may still contain. */
const formerParameters: Readonly<Record<string, string>> = {
  together: 'batch',
  'dead-by': 'dead-placement',
  'attack-by': 'attack-share-of',
  'priorities-by': 'priority-basis',
};

/** Returns a scenario as the parameters of a link to the page. */
export function encodeScenario(scenario: Scenario): LinkParameters {
  const fields = writeScenario(scenario, linkedScenario, ['nodes', ...alwaysLinked]);
  return fields.map(([name, text]) => [name === 'nodes' ? nodesInLinks : name, text]);
}

/** Parameters of a link, in order. */
export type LinkParameters = [name: string, text: string][];

/** A scenario from a link, with notices about rejected parameters. */
export interface LinkedScenario {
  readonly scenario: Scenario;
  /** One line for each rejected parameter: the expected form, the actual text, and the value used instead. */
  readonly notices: readonly string[];
}

/**
 * Reads the scenario of a link, which a person may have written by hand. Missing fields have the values in
 * {@link linkedScenario}. Every rejected parameter produces a notice.
 *
 * @param parameters the parameters in the link, in order.
 * @param others names of parameters that do not belong to the scenario.
 */
export function decodeScenario(
  parameters: Iterable<readonly [name: string, text: string]>,
  others: readonly string[] = [],
): LinkedScenario {
  if (typeof (parameters as Partial<typeof parameters>)?.[Symbol.iterator] !== 'function')
    throw new TypeError(expected('parameters', 'a list of names and values', parameters));
  let scenario = linkedScenario;
  const notices: string[] = [];
  const given = new Set<string>();
  for (const [parameter, text] of parameters) {
    if (others.includes(parameter)) continue;
    const former = Object.hasOwn(formerParameters, parameter) ? formerParameters[parameter] : undefined;
    const name = parameter === nodesInLinks ? 'nodes' : (former ?? parameter);
    const field = scenarioFields.find((one) => one.name === name);
    if (field === undefined) {
      notices.push(`${parameter.slice(0, 40)}: unknown name; ignored`);
    } else if (given.has(field.name) && !field.repeatable) {
      notices.push(`${parameter}: expected one value, got several; the first one is used`);
    } else {
      try {
        scenario = field.read(parameter, text, scenario);
        given.add(field.name);
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        const instead = field.write(scenario).join(', ');
        notices.push(`${error.message}; ${field.repeatable ? 'left out' : `${instead} is used`}`);
      }
    }
  }
  try {
    validateScenario(scenario);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const unharmed: Scenario = { ...scenario, dead: 0, absent: 0, attacks: [], faults: [] };
    const isValid = isValidScenario(unharmed);
    notices.push(
      `${error.message}; ${isValid ? 'the run has no attacks, no faults, and no dead or absent nodes' : "the run is the page's first run"} instead`,
    );
    scenario = isValid ? unharmed : linkedScenario;
  }
  return { scenario, notices };
}

function isValidScenario(scenario: Scenario): boolean {
  try {
    validateScenario(scenario);
    return true;
  } catch {
    return false;
  }
}
