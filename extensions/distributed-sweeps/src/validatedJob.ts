import { EnvironmentError, isObject, shownValue } from '@tutti/core/input';
import { maxBatchPoints, pointKey, type ReadNetworks } from '@tutti/node-cli/sweeps';
import { type LatencyMatrix, matrixNetwork, type Scenario, validateNetwork, validateScenario } from '@tutti/simulation';
import { maxJobPlaces, type SweepJob } from './queue.ts';

/** Pattern of a version, such as `0.2.0-dev+1a2b3c4d`. */
const versionPattern = /^\d+\.\d+\.\d+[\w.+-]{0,60}$/;

/**
 * Maximum length of an error text from one of the simulation's checks, characters. The text quotes the invalid input.
 */
const maxCharacters = 300;

/**
 * Checks a job from the queue, which any client may have added. Points from another version are not checked, because
 * the worker does not run them.
 *
 * @throws EnvironmentError `bad-job`: one line with the field, the expected value and the actual value.
 */
export function validatedJob(data: unknown, ownVersion: string): SweepJob {
  const job = fieldsOf('job', data);
  if (typeof job.version !== 'string' || !versionPattern.test(job.version))
    return refuse('version', `a version such as ${ownVersion}`, job.version);
  const { version, points, networks } = job;
  if (!Array.isArray(points)) return refuse('points', 'a list', points);
  if (version !== ownVersion) return { version, points };
  const sent = networks === undefined ? {} : validatedNetworks(fieldsOf('networks', networks));
  if (points.length > maxBatchPoints) return refuse('points', `at most ${maxBatchPoints} of them`, points.length);
  for (const [index, point] of points.entries()) validatePoint(`points[${index}]`, point, sent);
  return { version, points, ...(networks !== undefined && { networks: sent }) };
}

/** Checks networks from files: their format, their size, and the file names that results state for them. */
function validatedNetworks(networks: Readonly<Record<string, unknown>>): ReadNetworks {
  for (const [name, value] of Object.entries(networks)) {
    const path = `networks[${shownValue(name)}]`;
    if (!/^(file|rtt|shortest):/.test(name)) refuse(path, 'a name that begins with file:, rtt: or shortest:', name);
    const { places, oneWayMs, inputs, ...more } = fieldsOf(path, value);
    const [other] = Object.keys(more);
    if (other !== undefined) refuse(path, 'places, oneWayMs and inputs alone', other);
    if (!Array.isArray(places) || places.length > maxJobPlaces)
      refuse(`${path}.places`, `a list of at most ${maxJobPlaces}`, places);
    if (!isTextList(places)) refuse(`${path}.places`, 'names', places);
    if (!Array.isArray(oneWayMs) || !oneWayMs.every(isNumberList))
      refuse(`${path}.oneWayMs`, 'lists of numbers', oneWayMs);
    if (!Array.isArray(inputs) || !inputs.every(isInput)) refuse(`${path}.inputs`, 'files with their SHA-256', inputs);
    withPath(path, () => matrixNetwork({ places, oneWayMs } as LatencyMatrix, 1, 0));
  }
  return networks as ReadNetworks;
}

const isTextList = (value: readonly unknown[]) => value.every((one) => typeof one === 'string' && one.length <= 200);
const isNumberList = (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === 'number');
const isInput = (value: unknown) =>
  isObject(value) && typeof value.file === 'string' && /^[0-9a-f]{64}$/.test(String(value.sha256));

/**
 * Checks a point before a thread receives it, and rejects every point that `createSimulation` would reject. Unknown
 * fields of the scenario are rejected.
 */
function validatePoint(path: string, value: unknown, networks: ReadNetworks): void {
  const { key, scenario: given } = fieldsOf(path, value);
  const scenario = fieldsOf(`${path}.scenario`, given) as unknown as Scenario;
  withPath(`${path}.scenario`, () => {
    validateScenario(scenario);
    if (!Object.hasOwn(networks, scenario.network)) validateNetwork(scenario.network);
  });
  const own = pointKey(scenario, networks[scenario.network]?.inputs);
  if (key !== own) refuse(`${path}.key`, own, key);
}

/** Runs one of the simulation's checks, and converts its error to one line about the job. */
function withPath(path: string, check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new EnvironmentError('bad-job', `${path}: ${(cause as Error).message.slice(0, maxCharacters)}`, { cause });
  }
}

function fieldsOf(path: string, value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : refuse(path, 'an object', value);
}

function refuse(path: string, expected: string, got: unknown): never {
  throw new EnvironmentError('bad-job', `${path}: expected ${expected}, got ${shownValue(got)}`);
}
