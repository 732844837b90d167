import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromHex } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import { describe, expect, it } from 'vitest';
import { documentOf, runMain } from '../apps/node-cli/test/runMain.ts';
import { publicKeysIn } from './isSigned.ts';
import { isWhole } from './sampled.ts';
import { schemaTakes } from './schemaTakes.ts';
import { temporaryFolder, tutti } from './tutti.ts';

const folder = temporaryFolder();
const noble = await loadBls({ engine: 'noble' });

/** Number of slots of the honest cluster. A slot takes 12 s. */
const rounds = isWhole ? 2 : 1;

/** Flags for 64 validators on 10 nodes, with phases of 3 s, which are long enough on a busy machine. */
const small =
  'cluster --protocol horn --validators 64 --nodes 10 --aggregators 4 --collectors 8 --subcommittees 2 --slot-seconds 12 --added-seconds 4 --timeout 120 --json'.split(
    ' ',
  );

const clusterOf = async (...more: readonly string[]) => documentOf(await tutti(...small, ...more));

/** Returns the distinct votes in a block whose signatures are valid according to noble-curves. */
function votesOf({ block, publicKeys, message: text }: Awaited<ReturnType<typeof clusterOf>>): Set<number> {
  const keys = publicKeysIn(publicKeys);
  const votes = new Set<number>();
  for (const { first, bits, signature } of block.collections) {
    const bytes = fromHex(bits)!;
    const hasBit = (bit: number) => bit >= 0 && (((bytes[bit >> 3] ?? 0) >> (bit & 7)) & 1) === 1;
    const signers = [...keys.keys()].filter((place) => hasBit(place - first));
    const message = new TextEncoder().encode(text);
    const signed = signers.map((place) => keys[place]!);
    expect(noble.fastAggregateVerify(signed, message, fromHex(signature)!)).toBe(true);
    for (const place of signers) votes.add(place);
  }
  return votes;
}

async function verifies(path: string, document: Awaited<ReturnType<typeof clusterOf>>): Promise<void> {
  const { votes, publicKeys } = document;
  const given = ['--public-keys', publicKeys, '--allow-unproven'];
  const verified = await runMain(['verify', path, ...given, '--json']);
  expect(verified.code).toBe(0);
  expect(JSON.parse(verified.out)).toMatchObject({ valid: true, signers: votes.inBlock + votes.others, nodes: 64 });
  // Without a flag, the command uses the keys in the document, whose possession is not proven.
  const doubted = await runMain(['verify', path]);
  expect([doubted.code, doubted.out]).toEqual([1, expect.stringContaining('possession not checked')]);
  const registry = await runMain(['verify', path, '--digest', '0'.repeat(64)]);
  expect([registry.code, registry.err]).toEqual([2, expect.stringContaining('cannot be combined with a Horn slot')]);
}

describe.concurrent('tutti cluster --protocol horn', () => {
  it('at least 99 % of the votes are in the block of each slot, with signatures that noble-curves accepts', async () => {
    const out = join(folder, 'horn.json');
    const document = await clusterOf('--rounds', `${rounds}`, '--out', out);
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(document);
    const { slots = [document], ...last } = document;
    expect(slots).toHaveLength(rounds);
    expect(last).toMatchObject(slots.at(-1));
    expect(new Set(slots.map(({ message }: { message: string }) => message)).size).toBe(rounds);
    expect(schemaTakes('horn-cluster-result', document)).toBe(true);
    await verifies(out, document);
    for (const slot of slots) {
      const { votes, phases, live, refused } = slot;
      expect(votes).toMatchObject({ cast: 64, others: 0 });
      expect(votes.share).toBeGreaterThanOrEqual(0.99);
      expect(votesOf(slot).size).toBe(votes.inBlock);
      expect(phases.map(({ name }: { name: string }) => name)).toEqual(['votes', 'aggregates', 'collections']);
      expect(phases.every(({ published }: { published: number }) => published > 0)).toBe(true);
      expect(live).toBe(10);
      expect(Object.keys(refused)).toEqual([]);
    }
  });

  it.runIf(isWhole)('with 10 % crashed and 20 % Byzantine over TCP, a block has 99 % of the votes', async () => {
    const lies = ['--attack', 'invalid:0.1', '--attack', 'worthless:0.1'];
    const out = join(folder, 'liars.json');
    const document = await clusterOf(...['--dead', '0.1', ...lies, '--transport', 'tcp', '--out', out]);
    await verifies(out, document);
    const { votes, live, blacklisted, invalid } = document;
    expect(live).toBe(7);
    expect(votes.share).toBeGreaterThanOrEqual(0.99);
    expect(votesOf(document).size).toBe(votes.inBlock + votes.others);
    // An aggregate without valuable votes is valid, so receivers do not blacklist its sender.
    expect(blacklisted).toEqual({ liars: 1, honest: 0 });
    expect(invalid.max).toBeGreaterThan(0);
  });
});
