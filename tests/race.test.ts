import { readFileSync } from 'node:fs';
import { raceScenario, runRace } from '@tutti/lab';
import type { ProtocolName } from '@tutti/simulation';
import { describe, expect, it } from 'vitest';

interface Stored {
  readonly nodes: number;
  readonly races: readonly {
    readonly dead: number;
    readonly runs: readonly { protocol: ProtocolName; digest: string }[];
  }[];
}

const file = new URL('../apps/visualizer/src/race/race.json', import.meta.url);
const { nodes, races }: Stored = JSON.parse(readFileSync(file, 'utf8'));
// The two that take the longest are run again by the page, at a button's press.
const cheap: readonly ProtocolName[] = ['handel', 'san-fermin'];

describe('the race that the page ships (npm run data -- race makes it anew)', () => {
  const lanes = races.flatMap(({ dead, runs }) =>
    runs.filter(({ protocol }) => cheap.includes(protocol)).map((run) => ({ dead, ...run })),
  );
  it.each(lanes)('$protocol, $dead dead: the same digest today', ({ protocol, dead, digest }) => {
    expect(runRace(raceScenario(protocol, nodes, dead)).digest).toBe(digest);
  });
});
