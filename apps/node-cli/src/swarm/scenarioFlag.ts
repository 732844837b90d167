import { isObject, parseJson } from '@tutti/core/input';
import { createSimulation, defaultScenario, type Scenario, withoutFormerFields } from '@tutti/simulation';
import { UsageError } from '../context.ts';
import { takeGivenNetwork } from '../files/latencyFile.ts';
import { requireSameForm } from '../files/settingsText.ts';
import { badChoiceValue, badValue, type FlagReader } from '../flags.ts';
import { loadAllNetworks } from '../simulatedRun.ts';

// The parser creates a simulation, which needs the tables of the scenario's network.
await loadAllNetworks();

type Fields = Readonly<Record<string, unknown>>;

const usual: Fields = { ...defaultScenario };

/** Returns the fields in which a scenario differs from the default scenario, as one line of JSON. */
export function scenarioText(scenario: Scenario): string {
  const differs = ([field, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(usual[field]);
  return JSON.stringify(Object.fromEntries(Object.entries(scenario).filter(differs)));
}

/**
 * Parses the output of {@link scenarioText}, which a user may have edited, and checks the scenario.
 *
 * @throws UsageError; EnvironmentError for a latency file that cannot be read.
 */
export const scenarioFlag: FlagReader<Scenario> = (text) => {
  const given = objectOf(text);
  if (given === undefined) throw badValue('--scenario', 'a JSON object with the fields of a scenario', text);
  try {
    const fields = withoutFormerFields(given);
    for (const [field, value] of Object.entries(fields)) {
      if (!Object.hasOwn(usual, field))
        throw badChoiceValue('--scenario', Object.keys(usual), field, `fields ${Object.keys(usual).join(', ')}`);
      requireSameForm(field, value, usual[field]);
    }
    const scenario: Scenario = { ...defaultScenario, ...fields };
    takeGivenNetwork('network', scenario.network);
    if (scenario.scheme !== 'counting') throw badValue('--scenario', 'the counting scheme', scenario.scheme);
    createSimulation(scenario);
    return scenario;
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError(`--scenario: ${error.message}`);
    throw error;
  }
};

function objectOf(text: string): Fields | undefined {
  try {
    const value: unknown = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
