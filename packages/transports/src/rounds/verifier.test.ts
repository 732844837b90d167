import { expect, it } from 'vitest';
import type { SignatureClaim } from '../runtime/runtime.ts';
import { sharedVerdicts } from './group.ts';
import { batched } from './verifier.ts';

/** Creates a verifier that fails to run `failures` batches, then accepts claims with an even `first`, and records them. */
function evens(failures = 0) {
  const batches: number[][] = [];
  const verifier = {
    verifyBatch: async (claims: readonly SignatureClaim[]) => {
      if (failures-- > 0) throw new Error('its thread ended');
      batches.push(claims.map(({ first }) => first));
      return claims.map(({ first }) => first % 2 === 0);
    },
    close: async () => {},
  };
  return { batches, verifier };
}

const nothing = new Uint8Array(0);

const claim = (first: number): SignatureClaim => ({ first, bits: nothing, signature: nothing });

it('verifies at most 64 waiting claims per batch, which bounds the delay of other work, and answers each separately', async () => {
  const { batches, verifier } = evens();
  const shared = batched(verifier);
  const firsts = Array.from({ length: 130 }, (_, first) => first);
  const answers = await Promise.all(firsts.map((first) => shared.verifyBatch([claim(first)])));
  expect(answers).toEqual(firsts.map((first) => [first % 2 === 0]));
  expect(batches.map((batch) => batch.length)).toEqual([64, 64, 2]);
  expect(await shared.verifyBatch([claim(7)])).toEqual([false]);
});

it('keeps the claims of one call in one batch, with as many earlier calls as fit', async () => {
  const { batches, verifier } = evens();
  const shared = batched(verifier);
  const asked = [1, 64, 40, 24, 50, 0, 65].map((length, call) => Array.from({ length }, (_, at) => 100 * call + at));
  const answers = await Promise.all(asked.map((firsts) => shared.verifyBatch(firsts.map(claim))));
  expect(answers).toEqual(asked.map((firsts) => firsts.map((first) => first % 2 === 0)));
  expect(batches).toEqual([asked[0], asked[1], [...asked[2]!, ...asked[3]!], asked[4], asked[6]]);
});

it('never verifies in the turn of the call', () => {
  const { batches, verifier } = evens();
  void batched(verifier).verifyBatch([claim(0)]);
  expect(batches).toEqual([]);
});

it('a batch that fails to run is reported to all its callers, and the next batch is verified', async () => {
  const shared = batched(evens(1).verifier);
  const asked = await Promise.allSettled([0, 1].map((first) => shared.verifyBatch([claim(first)])));
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await shared.verifyBatch([claim(2)])).toEqual([true]);
});

it('a claim of several nodes of a process is verified once, and again only if the verification failed to run', async () => {
  const { batches, verifier } = evens(1);
  const shared = sharedVerdicts(verifier);
  const ask = (...firsts: number[]) => shared.verifyBatch(firsts.map(claim));
  await expect(ask(1, 2)).rejects.toThrow('its thread ended');
  expect(await Promise.all([ask(1, 2, 1), ask(2, 3), ask()])).toEqual([[false, true, false], [true, false], []]);
  expect(await ask(3, 2)).toEqual([false, true]);
  expect(batches).toEqual([[1, 2], [3]]);
  const others = ['bits', 'signature'].map((field) => ({ ...claim(2), [field]: Uint8Array.of(1) }));
  expect(await shared.verifyBatch(others)).toEqual([true, true]);
  expect(batches[2]).toEqual([2, 2]);
  await ask(...Array.from({ length: 1024 }, (_, at) => 10 + at));
  await ask(2);
  expect(batches.at(-1)).toEqual([2]);
});
