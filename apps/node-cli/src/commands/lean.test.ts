import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { leanProfiles } from '@tutti/simulation/lean';
import { expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';

const folder = mkdtempSync(join(tmpdir(), 'tutti-lean-'));
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

it("compares rivals without time, with the closed forms' numbers", async () => {
  const { code, out } = await runMain(['lean', 'compare', '--subnets', '8', '--ideal', '--shares', '0', '--json']);
  expect(code).toBe(0);
  const { rows } = JSON.parse(out);
  const found = Object.fromEntries(
    rows.map(({ rival, merges, roundsToFull }: Record<string, unknown>) => [rival, [merges, roundsToFull]]),
  );
  expect(found).toMatchObject({
    spec: [1, 1],
    greedy: [56, 7],
    window: [24, 3],
    'window-skip': [8, 4],
    handel: [24, 3],
    'handel-owners': [7, 3],
  });
  expect(Object.keys(rows[0])).toEqual(
    expect.arrayContaining(['silent', 'omitting', 'subnets', 'aggregators', 'covered', 'proverSeconds', 'bytes']),
  );
});

it('plays a slot of a profile that a file changes, and names the field of one that it refuses', async () => {
  const { out } = await runMain(['lean', 'profile', 'lean-2026-09']);
  expect(JSON.parse(out)).toEqual(leanProfiles['lean-2026-09']);
  const path = file('mine.json', out.replace('"validators": 4096', '"validators": 256'));
  const played = await runMain(['lean', 'play', '--profile', path, '--subnets', '2', '--nodes', '8', '--json']);
  expect(JSON.parse(played.out).recording).toMatchObject({ format: 'tutti-lean-slot-1', validators: 256, subnets: 2 });
  const bad = file('bad.json', out.replace('"floorMs": 300', '"floorMs": -1'));
  expect(await runMain(['lean', 'play', '--profile', bad])).toMatchObject({
    code: 1,
    err: `tutti: ${bad}: prover.floorMs: expected a number, 0 or more, got -1\n`,
  });
});

it('checks who merges: the flag breaks with a shortest trace and a link, turning owners do not', async () => {
  const flag = await runMain(['lean', 'check', '--rule', 'window-skip', '--subnets', '4', '--owners', '0,2']);
  expect(flag.code).toBe(1);
  expect(flag.out).toContain('link: #lean-check=rule:window-skip,subnets:4,owners:0.2,leaf:1,slot:0,silent:,faults:');
  expect(flag.err).toBe('tutti: broken: All well, somebody merges in every slot until a proof has all votes.\n');
  const owners = await runMain(['lean', 'check', '--rule', 'handel-owners', '--silent', '1', '--json']);
  expect(owners.code).toBe(0);
  expect(JSON.parse(owners.out)).toMatchObject({ rule: 'handel-owners', placements: 26, broken: [] });
});
