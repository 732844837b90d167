import { shownValue, WorldError } from '@tutti/core/errors';
import { maxBatchPoints, pointKey } from '@tutti/node-cli/sweeps';
import { type Scenario, validateNetwork, validateScenario } from '@tutti/simulation';
import type { SweepJob } from './queue.ts';

/** Pattern of a version, such as `0.2.0-dev+1a2b3c4d`. */
const versionPattern = /^\d+\.\d+\.\d+[\w.+-]{0,60}$/;

/** Maximum length of an error text of core, which quotes its input. */
const maxCharacters = 300;

/**
 * Checks a job from the queue, which any client may have put there. Points of another version are not checked; the
 * worker decides whether to run them.
 *
 * @throws WorldError `bad-job`: one line with the field, the expected value and the actual value.
 */
export function validatedJob(data: unknown, ownVersion: string): SweepJob {
  const job = fieldsOf('job', data);
  if (typeof job.version !== 'string' || !versionPattern.test(job.version))
    return refuse('version', `a version such as ${ownVersion}`, job.version);
  const { version, points } = job;
  if (!Array.isArray(points)) return refuse('points', 'a list', points);
  if (version !== ownVersion) return { version, points };
  if (points.length > maxBatchPoints) return refuse('points', `at most ${maxBatchPoints} of them`, points.length);
  for (const [index, point] of points.entries()) validatePoint(`points[${index}]`, point);
  return { version, points };
}

function validatePoint(path: string, value: unknown): void {
  const { key, scenario } = fieldsOf(path, value);
  validateRun(`${path}.scenario`, scenario);
  const own = pointKey(scenario as Scenario);
  if (key !== own) refuse(`${path}.key`, own, key);
}

/** Checks values that `createSimulation` would also reject, before a thread gets them. Rejects unknown fields. */
function validateRun(path: string, scenario: unknown): void {
  const given = fieldsOf(path, scenario) as unknown as Scenario;
  try {
    validateScenario(given);
    validateNetwork(given.network);
  } catch (cause) {
    throw new WorldError('bad-job', `${path}: ${(cause as Error).message.slice(0, maxCharacters)}`, { cause });
  }
}

function fieldsOf(path: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  return refuse(path, 'an object', value);
}

function refuse(path: string, expected: string, got: unknown): never {
  throw new WorldError('bad-job', `${path}: expected ${expected}, got ${shownValue(got)}`);
}
