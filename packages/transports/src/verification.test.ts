import { expect, it } from 'vitest';
import { VerificationQueue } from './verification.ts';

const bits = Uint8Array.of(1);
const signature = new Uint8Array(96);

/** A verifier that answers when it is told to, and remembers what it was asked. */
function scripted() {
  const asked: number[] = [];
  const answers = new Map<number, (valid: boolean) => void>();
  const verify = (first: number) => {
    asked.push(first);
    return new Promise<boolean>((answer) => answers.set(first, answer));
  };
  return { asked, answer: (first: number, valid: boolean) => answers.get(first)!(valid), verifier: { verify } };
}

const turn = () => new Promise(setImmediate);

it('begins in a later turn, one at a time, in the order of asking', async () => {
  const { asked, answer, verifier } = scripted();
  const queue = new VerificationQueue(verifier);
  const results = [queue.verify(7, bits, signature), queue.verify(8, bits, signature)];
  expect(asked).toEqual([]);
  await turn();
  await turn();
  expect(asked).toEqual([7]);
  answer(7, true);
  expect(await results[0]).toBe(true);
  await turn();
  expect(asked).toEqual([7, 8]);
  answer(8, false);
  expect(await results[1]).toBe(false);
});

it('keeps as many in progress as the verifier has threads', async () => {
  const { asked, answer, verifier } = scripted();
  const queue = new VerificationQueue(verifier, 2);
  const results = [1, 2, 3].map((first) => queue.verify(first, bits, signature));
  await turn();
  expect(asked).toEqual([1, 2]);
  answer(2, true);
  await results[1];
  await turn();
  expect(asked).toEqual([1, 2, 3]);
});

it('goes on after a verification that failed to be carried out', async () => {
  let calls = 0;
  const queue = new VerificationQueue({
    verify: async () => {
      if (calls++ === 0) throw new Error('the worker is gone');
      return true;
    },
  });
  await expect(queue.verify(0, bits, signature)).rejects.toThrow('the worker is gone');
  expect(await queue.verify(0, bits, signature)).toBe(true);
});
