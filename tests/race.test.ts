import { readFileSync } from 'node:fs';
import { type RaceProtocol, raceScenario, runRace } from '@tutti/lab';
import { describe, expect, it } from 'vitest';
import { never, readRace } from '../apps/visualizer/src/race/raceFile.ts';
import { sampled } from './sampled.ts';

const stored = (name: string) =>
  JSON.parse(readFileSync(new URL(`../apps/visualizer/src/race/${name}.json`, import.meta.url), 'utf8'));
const { nodes, unitUs, race, outcomes } = stored('race');
const byzantine = stored('raceByzantine');
const races: readonly Parameters<typeof readRace>[] = [
  [race, outcomes],
  [stored('raceDead'), outcomes],
  [byzantine, byzantine.outcomes],
];
// The two slowest protocols are rerun only in the page, when a button is clicked.
const cheap: readonly RaceProtocol[] = ['handel', 'san-fermin'];

describe('the race of the page (npm run data -- race writes it again)', () => {
  const lanes = races
    .map((race) => readRace(...race))
    .flatMap(({ dead, byzantine, lanes, outcomes }) =>
      lanes.map((lane, place) => ({ dead, byzantine, ...lane, outcome: outcomes[place]! })),
    )
    .filter(({ protocol }) => cheap.includes(protocol));
  it.each(sampled(lanes, 1))(
    '$protocol, $dead dead, $byzantine byzantine: the digest and the times in the file equal those of a new run',
    ({ protocol, dead, byzantine, digest, marks, outcome }) => {
      const run = runRace(raceScenario(protocol, nodes, dead, byzantine));
      expect([run.digest, run.reached]).toEqual([digest, outcome.reached]);
      expect(marks).toEqual(Int32Array.from(run.marksUs, (us) => (us < 0 ? never : Math.round(us / unitUs))));
    },
  );
});
