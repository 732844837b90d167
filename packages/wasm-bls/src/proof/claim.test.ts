import { expect, test } from 'vitest';
import { groups, settingOf, someMultiplicities } from '../../test/proof-fixtures.ts';
import { readClaim } from './claim.ts';
import { prove } from './prove.ts';
import { scalarBytes } from './scalar.ts';
import { statementOf } from './statement.ts';

const [group] = groups as [(typeof groups)[0]];
const setting = settingOf(group, 8);
const multiplicities = someMultiplicities(8);
const statement = statementOf(setting, multiplicities);
const proof = prove(setting, multiplicities, statement);
const claim = readClaim(setting, { statement, proof })!;

test('a claim has the statement and four points a round, and a challenge a round', () => {
  expect(claim.points).toHaveLength((2 + 4 * 3) * 96);
  expect(claim.scalars).toHaveLength(2 + 4 * 3);
  expect(new Set(claim.challenges).size).toBe(3);
});

test("each point changes its round's challenge and all later ones, and none before", () => {
  for (let at = 0; at < 12; at++) {
    const other = Uint8Array.from(proof);
    other.set(statement.key, 48 * at);
    const { challenges, weight, digest } = readClaim(setting, { statement, proof: other })!;
    const round = at >> 2;
    for (const [i, challenge] of challenges.entries())
      expect(challenge === claim.challenges[i], `point ${at}, round ${i}`).toBe(i < round);
    expect(weight).not.toBe(claim.weight);
    expect(digest).not.toEqual(claim.digest);
  }
});

test('the scalar changes the weight and the digest, and no challenge', () => {
  const other = Uint8Array.from(proof);
  other.set(scalarBytes(1n), proof.length - 32);
  const { challenges, weight, digest } = readClaim(setting, { statement, proof: other })!;
  expect(challenges).toEqual(claim.challenges);
  expect(weight).not.toBe(claim.weight);
  expect(digest).not.toEqual(claim.digest);
});
