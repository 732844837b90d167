import { expect, test } from 'vitest';
import { Fr } from './scalar.ts';
import { Transcript } from './transcript.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
function challengeAfter(...entries: [label: string, text: string][]): bigint {
  const transcript = new Transcript();
  for (const [label, text] of entries) transcript.append(label, bytes(text));
  return transcript.challenge('c');
}

test('the same entries give the same challenge', () => {
  expect(challengeAfter(['a', '1'], ['b', '2'])).toBe(challengeAfter(['a', '1'], ['b', '2']));
});

test('lists of entries with the same concatenation give different challenges', () => {
  const challenges = [
    challengeAfter(),
    challengeAfter(['', '']),
    challengeAfter(['a', '']),
    challengeAfter(['', 'a']),
    challengeAfter(['ab', 'c']),
    challengeAfter(['a', 'bc']),
    challengeAfter(['a', 'b'], ['', 'c']),
    challengeAfter(['a', 'b'], ['c', '']),
    challengeAfter(['c', ''], ['a', 'b']),
  ];
  expect(new Set(challenges).size).toBe(challenges.length);
});

test('a challenge depends on its label and on the previous challenges, and is in 1..2^128', () => {
  const [once, twice] = [new Transcript(), new Transcript()];
  twice.challenge('first');
  const challenges = [once.challenge('c'), twice.challenge('c'), twice.challenge('c'), new Transcript().challenge('d')];
  expect(new Set(challenges).size).toBe(4);
  for (const challenge of challenges) {
    expect(challenge).toBeGreaterThan(2n ** 100n);
    expect(challenge).toBeLessThanOrEqual(2n ** 128n);
  }
});

test('a long challenge is in 16..r-1, and has the same dependencies as a short one', () => {
  const [once, twice] = [new Transcript(), new Transcript()];
  twice.longChallenge('first');
  const challenges = [once.longChallenge('c'), twice.longChallenge('c'), new Transcript().longChallenge('d')];
  expect(new Set(challenges).size).toBe(3);
  for (const challenge of challenges) {
    expect(challenge).toBeGreaterThan(2n ** 200n);
    expect(challenge).toBeLessThan(Fr.ORDER);
  }
});
