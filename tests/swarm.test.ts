import { describe, expect, it } from 'vitest';
import { runMain } from '../apps/node-cli/test/runMain.ts';
import { isWhole } from './sampled.ts';

/** Returns the document printed by `tutti claims swarm --json` without its duration. */
function documentIn(out: string) {
  const { wallSeconds, ...document } = JSON.parse(out);
  expect(wallSeconds).toBeGreaterThan(0);
  return document;
}

const small = ['--max-nodes', '12', '--json'];

describe('tutti claims swarm', () => {
  it('reports that every claim held', async () => {
    const { code, out, err } = await runMain(['claims', 'swarm', '--seeds', '12', '--from', '7', '--max-nodes', '12']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Every claim held in 12 scenarios, seeds 7 to 18 \([\d.]+ s\)\.\n$/);
  });

  it('finds the lowest seed that breaks a claim for any number of jobs, and exits with 1', async () => {
    const search = ['claims', 'swarm', '--seeds', '64', '--without', 'bounded-queue', ...small];
    const [one, three] = [await runMain([...search, '--jobs', '1']), await runMain([...search, '--jobs', '3'])];
    expect([one.code, three.code]).toEqual([1, 1]);
    expect(documentIn(three.out)).toEqual(documentIn(one.out));
    const { broken } = documentIn(one.out);
    expect(broken).toMatchObject({ claim: 'memory', section: 'v1.03 3.5.2', scenario: { seed: broken.seed } });
    expect(one.err).toBe(`tutti: ${broken.smallest.message}\n`);
    const below = search.with(3, `${broken.seed - 1}`);
    expect(documentIn((await runMain(below)).out)).toMatchObject({ seeds: broken.seed - 1, broken: null });
  });

  it.runIf(isWhole)('prints commands that repeat the failure: the seed and the smallest scenario', async () => {
    const { out } = await runMain(['claims', 'swarm', '--seeds', '64', '--without', 'blacklist', ...small]);
    const { broken } = documentIn(out);
    const [bySeed, smallest] = broken.again;
    expect(bySeed).toBe(`tutti claims swarm --from ${broken.seed} --seeds 1 --without blacklist --max-nodes 12`);
    const again = await runMain([...bySeed.split(' ').slice(1), '--json']);
    expect(again.code).toBe(1);
    expect(documentIn(again.out).broken).toEqual(broken);

    const [, scenario] = /^tutti claims swarm --scenario '(.*)'$/.exec(smallest) ?? [];
    const alone = await runMain(['claims', 'swarm', '--scenario', scenario!, '--json']);
    expect(alone.code).toBe(1);
    expect(documentIn(alone.out).broken).toMatchObject({ ...broken.smallest, smallest: broken.smallest });
  });
});
