import { readFileSync } from 'node:fs';
import { type HornRow, type HornTable, hornTableNames } from '@tutti/ethereum';
import { beforeAll, describe, expect, it } from 'vitest';
import { documentFrom, outputOf, runMain } from '../../test/runMain.ts';

describe('tutti horn tables --json', () => {
  let tables: readonly (HornTable & { readonly name: string })[];
  beforeAll(async () => {
    const out = outputOf(await runMain('horn tables --json'));
    expect(out).toMatch(/^\{.*\}\n$/);
    tables = JSON.parse(out).tables;
  });

  function row(name: string, item: string): HornRow {
    const found = tables.find((table) => table.name === name)?.rows.find((one) => one.item === item);
    expect(found, `${name}: ${item}`).toBeDefined();
    return found!;
  }

  it('has every table, and every key in every row', () => {
    expect(tables.map(({ name }) => name)).toEqual(hornTableNames);
    for (const row of tables.flatMap(({ rows }) => rows))
      expect(Object.keys(row)).toEqual(['item', 'unit', 'post', 'exact', 'follows', 'why']);
  });

  // Expected values that were calculated by hand before the code existed.
  it.each<[name: string, item: string, exact: number]>([
    ['sizes', 'validators', 2 ** 20],
    ['sizes', 'validators of a committee', 32_768],
    ['sizes', 'committees', 32],
    ['sizes', 'validators of a subcommittee', 512],
    ['sizes', 'subcommittees of a committee', 64],
    ['sizes', 'subcommittees in all', 2048],
    ['sizes', 'aggregators of a subcommittee, expected', 16],
    ['sizes', 'aggregates per slot', 32_768],
    ['sizes', 'collections per slot, 16 collectors per committee', 512],
    ['global-topic', 'status quo: messages', 1024],
    ['global-topic', 'strawman: messages', 32_768],
    ['global-topic', 'strawman: bitfields and two signatures each', 8_388_608],
    ['global-topic', 'Horn: messages', 512],
    ['global-topic', 'Horn: fewer messages than the strawman', 64],
    ['global-topic', 'Horn: bitfields alone', 2_097_152],
    ['global-topic', 'Horn: bitfields and one signature each', 2_146_304],
    ['global-topic', 'Horn: bitfields and two signatures each', 2_195_456],
    ['bandwidth', 'Horn: burst, bitfields alone', 209_715.2],
    ['verification', 'point additions of all collections, at most', 16_777_216],
    ['verification', 'four threads of the Raspberry Pi 4', 9],
    ['verification', 'additions of the largest sum, relative to subtraction', 2],
    ['verification', 'additions of the largest sum, relative to subtraction at 95 %', 20],
    ['verification', 'additions of the largest sum, relative to subtraction at 99 %', 100],
    ['blocks', 'before Electra: an attestation', 288],
    ['blocks', 'before Electra: attestations of a block', 36_864],
    ['blocks', 'today, since Electra: attestations of a block', 34_624],
    ['blocks', 'Horn: collections of a block', 276_480],
    ['alternatives', 'four bits: multiplicities on the global topic', 8_388_608],
    ['alternatives', 'four bits: overlapping aggregates that merge', 15],
    ['alternatives', 'proof: its length for a committee, with the key', 1708],
    ['griefing', "weight of Eve's aggregate minus the best honest weight, N = 100", 1],
    ['griefing', 'omitted honest votes, N = 100', 99],
  ])('%s: %s is %d', (name, item, exact) => expect(row(name, item).exact).toBe(exact));

  it.each<[name: string, item: string, shown: string, unit: number]>([
    ['verification', "time of one addition, from the post's 2.8 s on the i9-11980HK", '167', 1],
    ['verification', "time of one addition, from the post's 6.1 s on the i7-8550U", '364', 1],
    ['verification', "time of one addition, from the post's 36 s on the Raspberry Pi 4", '2146', 1],
    ['blocks', 'Horn: storage per day with 12 s slots', '1.99', 1e9],
    ['blocks', 'Horn: storage per day with the proposed 22 s slots', '1.09', 1e9],
    ['verification', 'four threads of the i7-8550U', '1.5', 1],
    ['election', 'no aggregator in a subcommittee', '8.7e-8', 1],
    ['election', 'no honest aggregator in a subcommittee, 2/3 honest', '2.1e-5', 1],
  ])('%s: %s rounds to %s', (name, item, shown, unit) => {
    const value = row(name, item).exact / unit;
    const digits = shown.split('.')[1]?.length ?? 0;
    expect(shown.includes('e') ? value.toExponential(1) : value.toFixed(digits)).toBe(shown);
  });

  it("reports that the post's day of blocks does not follow, with the reason", () => {
    const { post, follows, why } = row('blocks', 'Horn: storage per day with 12 s slots');
    expect({ post, follows }).toEqual({ post: 'over 2 GB', follows: false });
    expect(why).toMatch(/just under 2 GB/);
  });

  it('has the lengths of bitfields compressed by Snappy and by our own codings, by participation', () => {
    const [byParticipation] = tables.find(({ name }) => name === 'bandwidth')!.grids;
    expect(byParticipation!.rows.map(([voted]) => voted)).toEqual([50, 66, 90, 95, 99, 100]);
    // Compressed, set bits are a length, a literal byte, and a three-byte copy per 64 further bytes.
    const [, , raw, snappy] = byParticipation!.rows.at(-1)!;
    expect([raw, snappy]).toEqual([4096, 2 + 2 + 3 * Math.ceil(4095 / 64)]);
  });
});

describe('tutti horn tables', () => {
  const page = readFileSync(new URL('../../../../docs/research/horn/index.md', import.meta.url), 'utf8');
  const shown = [...page.matchAll(/^```\n([\s\S]*?)```$/gm)].map(([, text]) => text!.trimEnd().split('\n'));

  it.each(shown.map((lines) => [/\(([\w-]+)\)$/.exec(lines[0]!)![1]!, lines] as const))(
    '--section %s prints the lines of docs/research/horn/index.md',
    async (name, lines) => {
      const out = outputOf(await runMain(['horn', 'tables', '--section', name]));
      expect(out).not.toMatch(/ $/m);
      expect(lines.length).toBeGreaterThan(5);
      const printed = out.split('\n').filter((line) => line === '' || lines.includes(line));
      expect(printed.join('\n')).toContain(lines.join('\n'));
    },
  );

  it('with other parameters, prints the tables with these parameters, and the parameters', async () => {
    const line = 'horn tables --section slot --slot-seconds 6 --rounds 2';
    const { parameters, tables } = await documentFrom(line);
    expect(parameters).toMatchObject({ slotSeconds: 6, rounds: 2, validators: 2 ** 20 });
    expect(tables[0].rows[0]).toMatchObject({ exact: 3, post: '4 seconds', follows: null, why: null });
  });
});
