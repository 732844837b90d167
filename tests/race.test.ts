import { readFileSync } from 'node:fs';
import { type RacerName, raceScenario, runRace } from '@tutti/lab';
import { describe, expect, it } from 'vitest';

interface Stored {
  readonly nodes: number;
  readonly races: readonly {
    readonly dead: number;
    readonly runs: readonly { racer: RacerName; digest: string }[];
  }[];
}

const file = new URL('../apps/visualizer/src/race/race.json', import.meta.url);
const { nodes, races }: Stored = JSON.parse(readFileSync(file, 'utf8'));
// The two that take the longest are run again by the page, at a button's press.
const cheap: readonly RacerName[] = ['handel', 'san-fermin'];

describe('the race that the page ships (npm run data -- race makes it anew)', () => {
  const lanes = races.flatMap(({ dead, runs }) =>
    runs.filter(({ racer }) => cheap.includes(racer)).map((run) => ({ dead, ...run })),
  );
  it.each(lanes)('$racer, $dead dead: the same digest today', ({ racer, dead, digest }) => {
    expect(runRace(raceScenario(racer, nodes, dead)).digest).toBe(digest);
  });
});
