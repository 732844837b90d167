import { insecureSeed, loadBls, loadCommittees } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { CommitteeOfSlot, sumMethods } from './committeeOfSlot.ts';
import type { VerifyCrew } from './verifyCrew.ts';
import type { VerifyTask } from './verifyThread.ts';

const [kernel, noble, committees] = await Promise.all([
  loadBls({ engine: 'wasm' }),
  loadBls({ engine: 'noble' }),
  loadCommittees(),
]);
const settings = { collections: 7, committees: 3, committee: 40, seed: 5 };
const committeeAt = (index: number) => new CommitteeOfSlot(settings, index, kernel, committees);

const votersOf = (bits: Uint8Array): number[] =>
  Array.from({ length: 40 }, (_, place) => place).filter((place) => ((bits[place >> 3]! >> (place & 7)) & 1) === 1);

/** Returns a validator's secret key. The keys are consecutive numbers from the one that the seed gives. */
function secretKeyOf(validator: number): Uint8Array {
  const first = BigInt(`0x${Buffer.from(kernel.keyGen(insecureSeed('validators', settings.seed, 0))).toString('hex')}`);
  return Uint8Array.from(Buffer.from((first + BigInt(validator)).toString(16).padStart(64, '0'), 'hex'));
}

it('assigns the collections to the committees in turn, each with the given number of votes', () => {
  const dealt = [0, 1, 2].map((index) => {
    const committee = committeeAt(index);
    committee.draw(29);
    return committee.collections;
  });
  expect(dealt.map((collections) => collections.length)).toEqual([3, 2, 2]);
  for (const { bits } of dealt.flat()) expect(votersOf(bits)).toHaveLength(29);
  expect(new Set(dealt.flat().map(({ bits }) => String(bits))).size).toBe(7);
});

it("signs collections with the sum of its validators' real signatures", () => {
  const committee = committeeAt(2);
  committee.draw(5);
  for (const { bits, signature } of committee.collections) {
    const secretKeys = votersOf(bits).map((place) => secretKeyOf(2 * 40 + place));
    const signatures = secretKeys.map((key) => kernel.sign(key, committee.message));
    expect(kernel.aggregateSignatures(signatures)).toEqual(signature);
    const publicKeys = secretKeys.map((key) => noble.publicKey(key));
    expect(noble.fastAggregateVerify(publicKeys, committee.message, signature)).toBe(true);
  }
});

it.each([2, 20, 39, 40])('sums %i keys by each method to one key, under which the signature verifies', (votes) => {
  const committee = committeeAt(1);
  committee.draw(votes);
  let summed = 0;
  for (const method of sumMethods) expect(committee.sum(method, () => summed++)).toBe(true);
  expect(summed).toBe(3 * committee.collections.length);
  expect([committee.verify('singly'), committee.verify('together')]).toEqual([true, true]);
  expect(committee.refusesCorrupted()).toBe(true);
});

it('refuses signatures under the sums of other votes', () => {
  const [committee, other] = [committeeAt(0), committeeAt(0)];
  committee.draw(30);
  other.draw(31);
  for (const one of [committee, other]) one.sum('naive', () => {});
  for (const [i, collection] of committee.collections.entries())
    Object.assign(collection, { signature: other.collections[i]!.signature });
  expect([committee.verify('singly'), committee.verify('together')]).toEqual([false, false]);
});

it('a thread reports a step only after the step is complete', async () => {
  const built = new URL('./verifyCrew.js', import.meta.url.replace('/src/', '/dist/')).href;
  const crew: VerifyCrew = new (await import(built)).VerifyCrew(settings, 1);
  let steps = 0;
  const perform = (task: VerifyTask) => crew.perform(task, () => steps++);
  await perform({ kind: 'open' });
  await perform({ kind: 'draw', votes: 5 });
  expect(steps).toBe(6);
  // Without sums of keys, the thread fails at its first committee.
  await expect(perform({ kind: 'verify', method: 'together' })).rejects.toMatchObject({ code: 'run-failed' });
  expect(steps).toBe(6);
});
