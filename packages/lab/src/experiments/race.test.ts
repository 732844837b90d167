import { createSimulation } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';
import { raceMarks, racers, raceScenario, runRace } from './race.ts';

describe('runRace', () => {
  it.each(racers)('%s: marks rise to the threshold, and end when the run says', (protocol) => {
    const scenario = raceScenario(protocol, 64, 0.2);
    const { marksUs, alive, lastMs, reached, digest } = runRace(scenario);
    let last = 0;
    let done = 0;
    for (let id = 0; id < 64; id++) {
      const marks = marksUs.subarray(id * raceMarks, (id + 1) * raceMarks);
      if (alive[id] === 0) {
        expect([...marks]).toEqual(Array(raceMarks).fill(-1));
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
});
