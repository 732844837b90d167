import { votingSystemNames } from '@tutti/ethereum';
import { describe, expect, it } from 'vitest';
import { isWhole } from '../../../../tests/sampled.ts';
import { documentFrom, outputOf, runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';
import { readTable } from '../results/readTable.ts';

const { at } = temporaryFiles();

/** Settings of a slot with two committees, each with four subcommittees of 64 validators. */
const small = '--nodes 512 --committees 2 --subcommittees 4';

describe('tutti simulate --protocol horn', () => {
  it('--json prints one document with the names of Handel for the same quantities', async () => {
    const document = await documentFrom(`simulate --protocol horn ${small} --dead 0.25 --seed 7`);
    expect(document).toMatchObject({
      ...{ protocol: 'horn', mode: 'statistical', nodes: 512, live: 384, reached: 384, seed: 7 },
      votes: { cast: 384, inReach: 384 },
    });
    for (const name of ['messagesSent', 'messagesReceived', 'bytesSent', 'timeToThresholdMs'])
      expect(document[name].mean, name).toBeGreaterThan(0);
  });

  it('--every-message simulates the same votes one by one', async () => {
    const document = await documentFrom('simulate --protocol horn-strawman --nodes 128 --every-message');
    expect(document).toMatchObject({ mode: 'messages', watched: 128, votes: { cast: 128, inReach: 128 } });
  });

  it('without --json, prints a summary', async () => {
    const { out } = await runMain(`simulate --protocol horn-status-quo ${small}`);
    expect(out).toMatch(
      /99 % of the votes had reached the next proposer after [\d,]+ ms; the slot ends after 12,000 ms/,
    );
    expect(out).not.toMatch(/ $/m);
  });

  it('--attack adds Byzantine validators to the slot, and prints their effect', async () => {
    const eve = `simulate --protocol horn ${small} --attack griefing:0.25`;
    const { votes, live, ended } = await documentFrom(eve);
    expect({ live, ended }).toEqual({ live: 384, ended: 'silent' });
    expect(votes.lost.outweighed).toBeGreaterThan(0);
    expect(votes.byzantine).toEqual({ voters: 128, cast: 0, inReach: 128 });
    const { out } = await runMain(eve);
    expect(out).toMatch(/512 validators \(128 dead or Byzantine: griefing:0.25\)/);
    expect(out).toContain(`${votes.lost.outweighed} outweighed by Eve's aggregates`);
  });
});

describe('tutti horn systems', () => {
  it.runIf(isWhole)('--uncalibrated compares although the verification of a committee exceeds its round', async () => {
    const overloaded = '--preset post --nodes 512 --committees 1 --subcommittees 16 --verify-ms 17';
    const out = outputOf(await runMain(`horn systems ${overloaded} --uncalibrated`));
    expect(out).toMatch(/^Overloaded: horn's committee topic; the losses on this topic are not calibrated\.$/m);
  });

  it('has four systems, and Handel again as an extrapolation', async () => {
    const { systems, growth } = await documentFrom(`horn systems --preset post ${small} --seeds 1`);
    for (const one of systems) expect(one).toMatchObject({ machine: 'i7-8550U', network: 'aws' });
    type System = Record<string, { readonly mean: number }>;
    expect(systems.map(({ system, origin, voters }: System) => [system, origin, voters!.mean])).toEqual([
      ['status-quo', 'simulated', 256],
      ['strawman', 'simulated', 512],
      ['horn', 'simulated', 512],
      ['handel', 'simulated', 256],
      ['handel', 'extrapolated', 512],
    ]);
    for (const { system, topics, ...of } of systems) {
      expect(of.reachMs.min).toBeGreaterThan(4000);
      for (const name of ['receivedMessages', 'receivedBytes', 'sustainedBytes', 'burstBytes', 'verificationSeconds'])
        expect(of[name].min, `${system}: ${name}`).toBeGreaterThan(0);
      expect(of.lostPercent.max).toBe(0);
      const kinds = { 'status-quo': 2, strawman: 2, horn: 3, handel: 1 }[system as string];
      expect(Object.keys(topics)).toHaveLength(kinds!);
      for (const { messages, bytes, sustainedBytes, burstBytes } of Object.values<System>(topics))
        expect(Math.min(messages!.mean, bytes!.mean, burstBytes!.mean - sustainedBytes!.mean)).toBeGreaterThan(0);
    }
    expect(growth.sizes).toEqual([16, 64, 256]);
  });

  it('has alone all systems of `slots network` as well, with machine and network in each row', async () => {
    const file = at('systems.parquet');
    const flags = '--nodes 512 --subcommittees 1 --seeds 1 --machine epyc-native --jobs 1';
    const { post, rows } = await documentFrom(`horn systems ${flags} --out ${file}`);
    expect(rows.map(({ preset }: { preset: string }) => preset)).toEqual(votingSystemNames);
    for (const row of [...post.systems, ...rows]) expect(row).toMatchObject({ machine: 'epyc-native', network: 'aws' });
    const { columns, rows: written } = await readTable(file);
    const classes = rows.flatMap(({ links }: { links: object[] }) => links);
    expect(written.map((row) => row[columns.indexOf('assumed')])).toEqual([
      ...post.systems.map(() => 'post'),
      ...classes.map(() => 'nodes'),
    ]);
  });
});

describe('tutti bench horn', () => {
  it.runIf(isWhole)('prints the error of sampled arrivals on every topic', async () => {
    const { arrivals } = await documentFrom('bench horn --nodes 512');
    expect(arrivals.map(({ system, topic }: Record<string, string>) => `${system}: ${topic}`)).toEqual([
      ...['status-quo: subnet', 'status-quo: global', 'strawman: subnet', 'strawman: global'],
      ...['horn: subnet', 'horn: committee', 'horn: global'],
    ]);
    for (const { drawnMs, singlyMs, off } of arrivals) {
      expect(off.mean).toBeCloseTo(100 * (drawnMs.mean / singlyMs.mean - 1), 9);
      expect(Math.abs(off.copies)).toBeLessThan(2);
    }
  });
});
