import { expect, test } from 'vitest';
import { Fr } from './scalar.ts';
import { Transcript } from './transcript.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
function challengeAfter(...entries: [label: string, text: string][]): bigint {
  const transcript = new Transcript();
  for (const [label, text] of entries) transcript.append(label, bytes(text));
  return transcript.challenge('c');
}

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

test.each([
  ['challenge', 2n ** 100n, 2n ** 128n],
  ['longChallenge', 2n ** 200n, Fr.ORDER - 1n],
] as const)(
  'a %s depends on its label and on the previous challenges, and is not over its maximum',
  (kind, least, most) => {
    const [once, twice] = [new Transcript(), new Transcript()];
    twice[kind]('first');
    const challenges = [once[kind]('c'), twice[kind]('c'), twice[kind]('c'), new Transcript()[kind]('d')];
    expect(new Set(challenges).size).toBe(4);
    for (const challenge of challenges) {
      expect(challenge).toBeGreaterThan(least);
      expect(challenge).toBeLessThanOrEqual(most);
    }
  },
);
