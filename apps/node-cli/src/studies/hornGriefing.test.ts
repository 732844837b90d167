import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { documentFrom, outputOf, runMain } from '../../test/runMain.ts';

// Outside CI, tests/numbers.test.ts detects manual edits of the page.
it.runIf(isWhole)('prints the lines of docs/research/horn/griefing.md', async () => {
  const page = readFileSync(new URL('../../../../docs/research/horn/griefing.md', import.meta.url), 'utf8');
  const out = outputOf(await runMain('horn griefing'));
  expect(out).not.toMatch(/ $/m);
  const [lines] = [...page.matchAll(/^```\n([\s\S]*?)```$/gm)].map(([, text]) => text!.trimEnd().split('\n'));
  expect(lines!.length).toBeGreaterThan(20);
  expect(lines!.filter((line) => !out.split('\n').includes(line))).toEqual([]);
});

it.runIf(isWhole)('--json prints the loss in its interval, and all values of the table', async () => {
  const document = await documentFrom('horn griefing --share 0.2 --slots 20 --participation 0.9');
  expect(document).toMatchObject({ seed: 1, slots: 20, participation: 0.9, shares: [{ share: 0.2 }] });
  const { alternatives } = document;
  expect(alternatives).toMatchObject({ share: 0.2, subcommittees: 20 * 64 });
  const names = alternatives.schemes.map(({ scheme }: { scheme: string }) => scheme);
  expect(names).toEqual(['bitfield', 'largestAndRandom', 'fourBit', 'succinctProof']);
  for (const { honestLost, honestLostExpected, codedBytes } of alternatives.schemes) {
    expect(honestLost.min).toBeLessThanOrEqual(honestLostExpected);
    expect(honestLost.max).toBeGreaterThanOrEqual(honestLostExpected);
    const codings = codedBytes.map(({ coding }: { coding: string }) => coding);
    expect(codings).toEqual(['snappy', 'run-length', 'sparse']);
  }
  const [bitfield, , fourBit, proof] = alternatives.schemes;
  expect(bitfield.post).toEqual({ griefing: 'bad', bandwidth: 'middling', time: 'good' });
  expect([fourBit.maxWithHonestAggregator, proof.maxWithHonestAggregator]).toEqual([0, 0]);
  expect(fourBit.bytes).toBe(8_388_608);
});

it('uses the costs of a machine from its source', async () => {
  const run = (ns: number) => documentFrom(`horn griefing --slots 2 --share .1 --addition-ns ${ns} --proof-ms 100`);
  const [slow, fast] = [await run(2000), await run(200)].map(({ alternatives }) => alternatives.schemes);
  expect(slow[0].seconds / fast[0].seconds).toBeCloseTo(10, 9);
  expect(slow[3].seconds).toBeCloseTo(512 * 0.1, 9);
});

it.each(['0', '.9'])('simulates a Byzantine share of %s, for two slots or more', async (share) => {
  expect(outputOf(await runMain(`horn griefing --share ${share} --slots 2`))).not.toMatch(/NaN|Infinity/);
});
