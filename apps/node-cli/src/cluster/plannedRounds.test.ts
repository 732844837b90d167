import { registryDigest } from '@tutti/core';
import { toHex } from '@tutti/core/input';
import { beaconOf, roundSeed } from '@tutti/transports';
import { nodeCrypto } from '@tutti/transports/node';
import { expect, it } from 'vitest';
import { Beacon, commitmentOf, plannedRounds } from './plannedRounds.ts';

const shown = (text: string, count: number) =>
  plannedRounds(text, count, 'independent').map(
    ({ number, message }) => `${number}: ${new TextDecoder().decode(message)}`,
  );

it.each([
  ['block {round}', ['1: block {round}']],
  ['tutti', ['1: tutti 1', '2: tutti 2', '3: tutti 3']],
  ['block {round}', ['1: block 1', '2: block 2']],
])('one round signs the text %s unchanged, and each of several rounds signs its own message: %j', (text, messages) => {
  expect(shown(text, messages.length)).toEqual(messages);
});

it('gives each round its period, starting with that of the first round, if the scheme has periods', () => {
  expect(plannedRounds('tutti', 3, 'independent', 7).map(({ period }) => period)).toEqual([7, 8, 9]);
  expect(plannedRounds('tutti', 1, 'independent')[0]).not.toHaveProperty('period');
});

const bytes = (length: number, fill: number) => new Uint8Array(length).fill(fill);
const entries = [1, 2, 3].map((fill) => ({
  publicKey: bytes(48, fill),
  proofOfPossession: bytes(96, fill),
  networkKey: bytes(32, fill),
  networkKeyProof: bytes(96, fill),
  endpoint: { host: '127.0.0.1', port: fill },
}));
const openings = [4, 5, 6].map((fill) => bytes(32, fill));
const commitments = entries.map((entry, k) => commitmentOf(entry, openings[k]!));
const rounds = plannedRounds('tutti', 3, 'independent');
const output = { weight: 2, bits: bytes(1, 3), signature: bytes(96, 9) };

it('v1.0 section 4.3: the seed of the first round depends on the opening of each member', () => {
  const seeds = new Set([toHex(new Beacon(entries, commitments, openings).planOf(rounds[0]!).seed)]);
  for (const k of entries.keys()) {
    const others = openings.with(k, bytes(32, 7));
    const committed = commitments.with(k, commitmentOf(entries[k]!, others[k]!));
    seeds.add(toHex(new Beacon(entries, committed, others).planOf(rounds[0]!).seed));
  }
  expect(seeds.size).toBe(4);
});

it('a member whose opening differs from its commitment is named', () => {
  expect(() => new Beacon(entries, commitments, openings.with(1, bytes(32, 7)))).toThrow(
    expect.objectContaining({ code: 'process-failed', message: expect.stringMatching(/^node 1: /) }),
  );
});

it('the seed of a later round depends on the multi-signature of the previous round', () => {
  const beacon = new Beacon(entries, commitments, openings);
  beacon.next(beacon.planOf(rounds[0]!), output);
  const plan = beacon.planOf(rounds[1]!);
  expect(plan).toMatchObject(rounds[1]!);
  expect(plan.seed).toEqual(roundSeed(nodeCrypto, registryDigest(nodeCrypto, { entries }), 2, beaconOf(output)));
});

it('the first beacon remains if signatures are not unique', () => {
  const beacon = new Beacon(entries, commitments, openings);
  const [first, second] = plannedRounds('tutti', 2, 'independent', 7);
  const before = beacon.planOf(second!).seed;
  beacon.next(beacon.planOf(first!), output);
  expect(beacon.planOf(second!).seed).toEqual(before);
});
