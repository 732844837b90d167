import { version } from '@tutti/core';
import { maxBatchPoints, pointKey } from '@tutti/node-cli/sweeps';
import { defaultScenario } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { validatedJob } from './validatedJob.ts';

const point = { key: pointKey(defaultScenario), scenario: defaultScenario };
const withScenario = (scenario: unknown) => ({ version, points: [{ key: point.key, scenario }] });

describe('validatedJob', () => {
  it('accepts the queued points of a sweep as Redis returns them, and ignores points of another version', () => {
    const job = { version, points: [point, point] };
    expect(validatedJob(JSON.parse(JSON.stringify(job)), version)).toEqual(job);
    const other = { version: '0.2.0-dev+0badc0de', points: [null] };
    expect(validatedJob(other, version)).toEqual(other);
  });

  const network = {
    places: ['a', 'b'],
    oneWayMs: [
      [1, 20],
      [20, 1],
    ],
    inputs: [{ file: 'n.csv', sha256: 'ab'.repeat(32) }],
  };
  const onFile = { ...defaultScenario, network: 'file:n.csv' };
  const filePoint = { key: pointKey(onFile, network.inputs), scenario: onFile };
  const withNetwork = (more: object) => ({
    version,
    points: [filePoint],
    networks: { 'file:n.csv': { ...network, ...more } },
  });

  it('accepts the latencies of a file with the points that name it, whose keys have its hash', () => {
    const job = withNetwork({});
    expect(validatedJob(JSON.parse(JSON.stringify(job)), version)).toEqual(job);
  });

  it.each([
    [{ version, points: [filePoint] }, 'points[0].scenario: network: expected'],
    [withNetwork({ inputs: [{ file: 'n.csv', sha256: 'cd'.repeat(32) }] }), 'points[0].key: expected'],
    [withNetwork({ inputs: [{ file: 'n.csv', sha256: 'x' }] }), 'networks["file:n.csv"].inputs: expected'],
    [withNetwork({ places: Array(257).fill('a') }), 'networks["file:n.csv"].places: expected a list of at most 256'],
    [withNetwork({ oneWayMs: [[1], [20, 1]] }), 'networks["file:n.csv"]: oneWayMs[0]: expected 2 latencies, got 1'],
    [
      withNetwork({ oneWayMs: [network.oneWayMs[0], [-20, 1]] }),
      'networks["file:n.csv"]: oneWayMs[1][0]: expected milliseconds',
    ],
    [withNetwork({ oneWayMs: [null, [20, 1]] }), 'networks["file:n.csv"].oneWayMs: expected lists of numbers'],
    [withNetwork({ code: 1 }), 'networks["file:n.csv"]: expected places, oneWayMs and inputs alone, got "code"'],
    [{ version, points: [], networks: { aws: network } }, 'networks["aws"]: expected a name that begins with file:'],
    [{ version, points: [], networks: { 'file:\n': {} } }, 'networks["file:\\n"].places: expected a list'],
    [null, 'job: expected an object, got null'],
    [{ version: 'x', points: [] }, `version: expected a version such as ${version}, got "x"`],
    [{ version, points: 5 }, 'points: expected a list, got 5'],
    [
      { version, points: Array(maxBatchPoints + 1).fill(point) },
      `points: expected at most ${maxBatchPoints} of them, got ${maxBatchPoints + 1}`,
    ],
    [{ version, points: [null] }, 'points[0]: expected an object, got null'],
    [withScenario(null), 'points[0].scenario: expected an object, got null'],
    [withScenario({ ...defaultScenario, nodes: 2 ** 40 }), 'points[0].scenario: nodes: expected'],
    [withScenario({ ...defaultScenario, attacks: [null] }), 'points[0].scenario: '],
    [withScenario({ ...defaultScenario, network: 'nowhere' }), 'points[0].scenario: network: expected'],
    [{ version, points: [{ ...point, key: 'k' }] }, `points[0].key: expected ${point.key}, got "k"`],
  ])('refuses %j in one line', (data, line) => {
    expect(() => validatedJob(data, version)).toThrow(
      expect.objectContaining({ code: 'bad-job', message: expect.stringContaining(line) }),
    );
  });
});
