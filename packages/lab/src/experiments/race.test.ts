import { createSimulation } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { doublings, raceProtocols, raceScenario, runRace } from './race.ts';

it.each(raceProtocols)('runRace: %s: marks increase to the threshold, and end with the run', (protocol) => {
  const scenario = raceScenario(protocol, 64, 0.2);
  const { marks: weights, marksUs, role: roles, lastMs, reached, digest, live } = runRace(scenario);
  expect(weights).toEqual(doublings(Math.ceil(0.99 * live)));
  let last = 0;
  let done = 0;
  for (let id = 0; id < 64; id++) {
    const marks = marksUs.subarray(id * weights.length, (id + 1) * weights.length);
    if (roles[id] === 0) {
      expect([...marks]).toEqual(Array(weights.length).fill(-1));
      continue;
    }
    if (marks.at(-1)! < 0) continue;
    done++;
    expect([...marks]).toEqual([...marks].toSorted((a, b) => a - b));
    last = Math.max(last, marks.at(-1)!);
  }
  expect(done).toBe(reached);
  expect(last / 1000).toBeCloseTo(lastMs, 3);
  const plain = createSimulation(scenario);
  while (plain.advance(65_536));
  expect(digest).toBe(plain.result().digest);
});
