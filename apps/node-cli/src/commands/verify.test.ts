import { toHex } from '@tutti/core/input';
import { loadBls } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { runMain } from '../../test/runMain.ts';
import { temporaryFiles } from '../../test/temporaryFolder.ts';

const bls = await loadBls();
const secrets = [1, 2, 3, 4].map((byte) => bls.keyGen(new Uint8Array(32).fill(byte)));
const keys = secrets.map((secret) => toHex(bls.publicKey(secret)));

const { writeJson: write } = temporaryFiles();

const keysPath = write('keys.json', keys);

function sumOf(message: string, signers: readonly number[]): string {
  const bytes = new TextEncoder().encode(message);
  return toHex(bls.aggregateSignatures(signers.map((one) => bls.sign(secrets[one]!, bytes))));
}

/** Returns the document of a Handel round in which all four members signed. */
const round = (message: string) => ({ message, signature: sumOf(message, [0, 1, 2, 3]), bitset: '0f', signers: 4 });

/** Returns the document of a slot with two committees of two validators, whose keys are in this order. */
function slotOf(message: string, order: readonly number[], publicKeys: string) {
  const collections = [0, 1].map((committee) => ({
    ...{ committee, first: 2 * committee, bits: '03' },
    signature: sumOf(message, order.slice(2 * committee, 2 * committee + 2)),
  }));
  return { message, publicKeys, votes: { inBlock: 4 }, block: { collections } };
}

const earlier = slotOf('a', [3, 2, 1, 0], write('reversed.json', keys.toReversed()));
const last = slotOf('b', [0, 1, 2, 3], keysPath);
const [first, second] = last.block.collections;
const slots = { ...last, scenario: { protocol: 'horn', parameters: { committees: 2 } }, slots: [earlier, last] };
const rounds = { ...round('b'), rounds: [round('a'), round('b')] };

async function verified(document: object, keyFile = keysPath) {
  return runMain(`verify ${write('document.json', document)} --public-keys ${keyFile} --allow-unproven`);
}

it.each([
  ['rounds', rounds],
  ['slots', slots],
  [
    'slots with votes of Byzantine validators',
    { ...slots, slots: [earlier, { ...last, votes: { inBlock: 3, others: 1 } }], votes: { inBlock: 3, others: 1 } },
  ],
])('verifies all %s of a document', async (_, document) => {
  const { code, out } = await verified(document);
  expect([code, out]).toEqual([0, expect.stringContaining('4 of 4 signed in the last of 2 valid rounds')]);
});

const block = (...collections: readonly object[]) => ({ ...slots, slots: [], block: { collections } });
it.each<[string, object, string]>([
  ['a forged round', { ...rounds, rounds: [{ ...round('a'), message: 'c' }, round('b')] }, 'rejects the signature'],
  ['a last round with other fields', { ...rounds, rounds: [round('b'), round('a')] }, 'the same "message" in the'],
  ['rounds that are no list', { ...rounds, rounds: {} }, '"rounds", a list of objects'],
  ['a wrong number of signers', { ...rounds, signers: 5 }, 'the document states 5 signers, but the signatures have'],
  ['a forged earlier slot', { ...slots, slots: [{ ...earlier, message: 'c' }, last] }, 'rejects the signature'],
  [
    'a slot of other validators',
    { ...slots, slots: [{ ...earlier, publicKeys: write('o.json', keys.slice(1)) }, last] },
    'in the order of another slot',
  ],
  ['a wrong number of votes', { ...slots, votes: { inBlock: 99 } }, 'the document states 99 signers, but'],
  ['another voter', { ...block({ ...first, bits: '01' }, second!), votes: undefined }, 'the signature of 1 signer'],
  ['bits of another length', block({ ...first, bits: '0300' }, second!), 'is not a valid set of signers'],
  ['a fraction as a committee', block({ ...first, committee: 0.5 }, second!), 'expected a number as "committee"'],
  ['a negative committee', block({ ...first, committee: -2 }, second!), 'a "committee" from 0 to 1'],
  ['a committee beyond the last', block({ ...first, committee: 2 }, second!), 'a "committee" from 0 to 1'],
  ['a contradictory first key', block({ ...first, first: 1 }, second!), "the index of the committee's first key"],
  ['a collection twice', block(first!, second!, first!), 'only votes that earlier collections contain'],
  ['committees in text', { ...slots, scenario: { protocol: 'horn', parameters: { committees: '2' } } }, 'committees'],
])('refuses %s', async (_, document, line) => {
  const { code, err } = await verified(document);
  expect([code, err]).toEqual([1, expect.stringContaining(line)]);
});

const negated = toHex(Uint8Array.of(Number.parseInt(keys[0]!.slice(0, 2), 16) ^ 0x20)) + keys[0]!.slice(2);
it.each([keys[0], negated])('refuses a key that a file contains twice or with its negative', async (second) => {
  const twice = write('twice.json', [keys[0], second]);
  const { code, err } = await verified({ message: 'a', signature: sumOf('a', [0, 0]), bitset: '03' }, twice);
  expect([code, err]).toEqual([1, expect.stringContaining('expected distinct public keys')]);
});
