import { parseJson } from '@tutti/core/input';
import { createSimulation, defaultScenario, type Scenario, withPresentNames } from '@tutti/simulation';
import type { Broken, SwarmOptions } from '@tutti/simulation/checks';
import { UsageError } from '../context.ts';
import { takeGivenNetwork } from '../files/latencyFile.ts';
import { formOf, otherField } from '../files/settingsText.ts';
import { badChoiceValue, badValue, type FlagReader } from '../flags.ts';
import { takenNetworks } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { ThreadPool } from '../threads/threadPool.ts';
import { describeTask, type SwarmAnswer, type SwarmTask } from './swarmThread.ts';

await loadAllNetworks();

/**
 * Number of seeds that a thread gets at a time: about 0.3 s of work, so that few scenarios run after the first violated
 * claim.
 */
const batch = 8;

interface Swarm {
  readonly from: number;
  readonly seeds: number;
  readonly jobs: number;
  readonly options: SwarmOptions;
  readonly signal: AbortSignal;
  /** Called after each completed batch with the number of seeds in the batch. */
  readonly onDone: (seeds: number) => void;
  /** Called with the scenario that violates a claim, before the scenario is shrunk. */
  readonly onFound: (broken: Broken) => void;
}

export interface Found {
  readonly broken: Broken;
  readonly smallest: Broken;
}

/**
 * Runs the scenarios of consecutive seeds on this machine's cores until one scenario violates a claim, and shrinks that
 * scenario. The result is the lowest such seed for any number of jobs: seeds start in order, and all seeds started
 * before the failing one are completed.
 *
 * @throws WorldError `run-failed`; Interrupted.
 */
export function runSwarm({ from, seeds, jobs, options, signal, onDone, onFound }: Swarm): Promise<Found | undefined> {
  return withPool(jobs, options.network, signal, async (pool) => {
    const end = from + seeds;
    let next = from;
    const found: Broken[] = [];
    const takeTurns = async () => {
      while (next < end && found.length === 0) {
        const count = Math.min(batch, end - next);
        const task: SwarmTask = { kind: 'hunt', from: next, count, options };
        next += count;
        const broken = await pool.run(task);
        onDone(count);
        if (broken !== undefined) found.push(broken);
      }
    };
    await Promise.all(Array.from({ length: jobs }, takeTurns));
    const [lowest] = found.toSorted((a, b) => a.seed - b.seed);
    return shrunk(pool, lowest, onFound);
  });
}

/** Runs one scenario, and shrinks the scenario if it violates a claim. */
export function runOne(scenario: Broken['scenario'], signal: AbortSignal): Promise<Found | undefined> {
  return withPool(1, scenario.network, signal, async (pool) =>
    shrunk(pool, await pool.run({ kind: 'try', scenario }), () => {}),
  );
}

type Pool = ThreadPool<SwarmTask, SwarmAnswer>;

async function shrunk(pool: Pool, broken: SwarmAnswer, onFound: (broken: Broken) => void): Promise<Found | undefined> {
  if (broken === undefined) return undefined;
  onFound(broken);
  return { broken, smallest: (await pool.run({ kind: 'shrink', broken })) ?? broken };
}

function withPool<T>(
  jobs: number,
  network: string | undefined,
  signal: AbortSignal,
  use: (pool: Pool) => Promise<T>,
): Promise<T> {
  const script = new URL('./swarmThread.js', import.meta.url);
  const pool: Pool = new ThreadPool(jobs, script, describeTask, takenNetworks([network ?? '']));
  return pool.during(signal, () => use(pool));
}

type Fields = Readonly<Record<string, unknown>>;

const usual: Fields = { ...defaultScenario };

/** Returns a scenario as one line of JSON with the fields that differ from the default. */
export function scenarioText(scenario: Scenario): string {
  const differs = ([field, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(usual[field]);
  return JSON.stringify(Object.fromEntries(Object.entries(scenario).filter(differs)));
}

/** Parses the output of {@link scenarioText}, possibly after edits. */
export const scenarioFlag: FlagReader<Scenario> = (text) => {
  const given = objectOf(text);
  if (given === undefined) throw badValue('--scenario', 'a JSON object with the fields of a scenario', text);
  try {
    const fields = withPresentNames(given);
    for (const [field, value] of Object.entries(fields)) requireForm(field, value);
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
    return formOf(value) === 'an object' ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Checks the type of a value, because core can only check values of the right type.
 *
 * @throws UsageError.
 */
function requireForm(field: string, value: unknown): void {
  if (!Object.hasOwn(usual, field))
    throw badChoiceValue('--scenario', Object.keys(usual), field, `fields ${Object.keys(usual).join(', ')}`);
  const form = formOf(usual[field]);
  if (formOf(value) !== form) throw badValue('--scenario', `${field} to be ${form}`, JSON.stringify(value));
  const other = otherField(value, usual[field]);
  if (other !== undefined) {
    const known = Object.keys(usual[field] as object);
    throw badChoiceValue('--scenario', known, other, `fields ${known.join(', ')} of ${field}`);
  }
  if (field !== 'attacks') return;
  for (const attack of value as readonly unknown[]) {
    if (formOf(attack) === 'an object') continue;
    throw badValue('--scenario', 'a list of objects as "attacks"', JSON.stringify(value));
  }
}
