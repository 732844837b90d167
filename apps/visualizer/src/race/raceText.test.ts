import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { MatrixFile } from '../story/attackMatrix.ts';
import { liveRace, type RaceOutcome } from './raceFile.ts';
import { byzantineWords, failedWords, firstWords, questionWords, sumWords, verdict } from './raceText.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const html = read('../../index.html');
const matrix: unknown = JSON.parse(read('../matrix/matrix.json'));
const recorded = (JSON.parse(read('./race.json')).outcomes as readonly RaceOutcome[]).filter(({ dead }) => dead === 0);

const outcome = (chosen: Partial<RaceOutcome>): RaceOutcome => ({
  ...{ protocol: 'handel', nodes: 1024, dead: 0, live: 1024, reached: 1024, lastMs: 400, meanMs: 300 },
  ...{ bytesSent: 29_000, messagesSent: 150, checked: 12 },
  ...chosen,
});
const sum = outcome({ protocol: 'complete-graph-bulk', lastMs: 350, bytesSent: 102_000, checked: 7.4 });
const light = outcome({ protocol: 'san-fermin', lastMs: 1200, bytesSent: 1600, checked: 10 });

it('the verdict states the position of Handel between the fastest and the lightest protocol, and lists its parts', () => {
  const { said, facts } = verdict([outcome({}), sum, light]);
  expect(said).toBe(
    'Handel leads in none of the three measures, but no other protocol both takes less time and sends fewer bytes. Handel takes 0.40\u00a0s and needs 29.0\u00a0kB, 150 messages and 12.0 checks per node. The fastest protocol, bulk verification, sends 3.5 times as many bytes as Handel. The protocol with the fewest bytes, San Fermín, takes 3.0 times as long as Handel.',
  );
  expect(facts).toHaveLength(3);
  expect(facts[0]).toBe('Handel: last node after 0.40\u00a0s, 29.0\u00a0kB and 12.0 checks per node');
});

it('the verdict states why a tree is faster, if its nodes make fewer checks', () => {
  const { said } = verdict(recorded);
  expect(said).toMatch(
    /^The number of checks makes the difference: a node that verifies every signature individually makes 1,023 checks\. .* each of them once, which takes 11\.7 checks\. Handel/,
  );
  expect(verdict(recorded.map((one) => ({ ...one, checked: 10 }))).said).toMatch(/^Handel leads/);
  expect(html).toContain('makes 1,023 checks');
  expect(html).toContain('about 12 checks.');
});

it('the verdict explains the checks of sums, which send less than Handel at 64 nodes', () => {
  expect(sumWords(recorded)).toMatch(
    /^With bulk verification, a node makes 7\.4 checks instead of one\. .* With 64 nodes, bulk verification sends fewer bytes/,
  );
  expect(sumWords([outcome({}), outcome({ protocol: 'complete-graph-bulk', checked: 1 })])).toBe('');
  const { cells } = matrix as Pick<MatrixFile, 'cells'>;
  const bytes = (row: string) => cells.find((cell) => cell.row === row && cell.attack === 'none')!.bytes!.mean;
  expect(bytes('complete-graph-bulk')).toBeLessThan(bytes('handel'));
});

it.each<[Partial<RaceOutcome>, readonly RaceOutcome[], RegExp]>([
  [
    { lastMs: 300 },
    [sum, light],
    /^Handel leads in time\. .* fewest bytes, San Fermín, takes 4\.0 times as long as Handel\./,
  ],
  [{ bytesSent: 1000, checked: 1, lastMs: 1 }, [sum], /^Handel leads in all three measures\.$/],
  [{ bytesSent: 200_000 }, [sum], /^Handel leads in none of the three measures\.$/],
  [{ reached: 1000 }, [sum], /^With Handel, 24 of 1,024 nodes never finish\.$/],
  [{ dead: 0.2 }, [sum], /^In this race, 20\s% of the nodes have failed\./],
])('the verdict for Handel with %j follows its results', (handel, others, words) => {
  expect(verdict([outcome(handel), ...others]).said).toMatch(words);
});

it('failed nodes: names the times of three protocols, and the checks only if Handel made more', () => {
  const { said, facts } = failedWords(JSON.parse(read('./race.json')).outcomes);
  expect(said).toMatch(
    /^Bulk verification still takes 0\.35\ss, Handel takes 0\.74\ss instead of 0\.39\ss, and San Fermín takes .* more partial aggregates and makes 23\.6 checks instead of 11\.7\.$/,
  );
  expect(html).toMatch(
    /If a fifth of the nodes have failed and no signature is invalid, bulk verification is also faster/,
  );
  expect(facts).toHaveLength(6);
  const failed = outcome({ dead: 0.2, live: 820, reached: 800 });
  expect(failedWords([outcome({}), failed]).said).toBe('Handel never finishes on 20 nodes.');
  expect(failedWords([outcome({ reached: 1000 }), { ...failed, reached: 820 }]).said).toBe(
    'Handel takes 0.40\u00a0s instead of never finishing.',
  );
});

it('the end of the race asks for the reason only if Handel made fewer checks', () => {
  const slow = outcome({ protocol: 'gossip', lastMs: 12_200, checked: 1023 });
  expect(questionWords([outcome({}), slow])).toMatch(/Why does Handel need only 12 checks\?$/);
  expect(questionWords([outcome({}), light])).toBe('How do two signatures become one?');
});

describe('the effect of Byzantine nodes', () => {
  const protocols = ['handel', 'complete-graph-bulk'] as const;
  const race = (byzantine: number) =>
    protocols.map((protocol) => liveRace({ protocol, nodes: 1024, dead: 0, byzantine, unitUs: 250 }).outcome);
  const honest = race(0);

  it('with one of them the sum still wins, as the page states, with more bytes', () => {
    const one = race(1);
    expect(byzantineWords(honest, one, 1).said).toContain('Bulk verification still wins.');
    expect(html).toMatch(
      /With at most one invalid signature, bulk verification is faster than Handel, but each of the 1,024 nodes sends more bytes/,
    );
    for (const [handel, sum] of [honest, one]) expect(sum!.bytesSent).toBeGreaterThan(handel!.bytesSent);
    expect(firstWords(honest)).toMatch(/^Bulk verification/);
  });

  it('names no cause if the checks did not increase, and no winner if no node finished', () => {
    expect(byzantineWords(honest, honest, 10).said).toMatch(/Handel still takes 0\.39\ss\. Bulk verification wins\.$/);
    const stuck = byzantineWords(
      honest,
      honest.map((one) => ({ ...one, reached: one.protocol === 'handel' ? 1000 : one.live - 1 })),
      10,
    ).said;
    expect(stuck).toMatch(/verification never finishes on 1 node, and Handel never finishes on 24 nodes\.$/);
  });
});
