import { readFileSync } from 'node:fs';
import { type RaceProtocol, raceScenario, runRace } from '@tutti/lab';
import { describe, expect, it } from 'vitest';
import { sampled } from './sampled.ts';

interface Stored {
  readonly dead: number;
  readonly liars?: number;
  readonly runs: readonly { protocol: RaceProtocol; digest: string }[];
}

const stored = (name: string) =>
  JSON.parse(readFileSync(new URL(`../apps/visualizer/src/race/${name}.json`, import.meta.url), 'utf8'));
const { nodes, race }: { readonly nodes: number; readonly race: Stored } = stored('race');
const races: readonly Stored[] = [race, stored('raceDying'), stored('raceLying')];
// The two slowest protocols are rerun only in the page, when a button is clicked.
const cheap: readonly RaceProtocol[] = ['handel', 'san-fermin'];

describe('the race of the page (npm run data -- race writes it again)', () => {
  const lanes = races.flatMap(({ dead, liars = 0, runs }) =>
    runs.filter(({ protocol }) => cheap.includes(protocol)).map((run) => ({ dead, liars, ...run })),
  );
  it.each(sampled(lanes, 1))(
    '$protocol, $dead dead, $liars liars: the digest is unchanged',
    ({ protocol, dead, liars, digest }) => {
      expect(runRace(raceScenario(protocol, nodes, dead, liars)).digest).toBe(digest);
    },
  );
});
