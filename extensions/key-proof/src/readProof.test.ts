import { expect, test } from 'vitest';
import { groups, settingOf } from '../tests/fixtures.ts';
import { prove } from './prove.ts';
import { type ReadProof, readProof } from './readProof.ts';
import { scalarBytes } from './scalar.ts';
import { statementOf } from './statement.ts';

const [group] = groups as [(typeof groups)[0]];
const setting = settingOf(group, 8);
const multiplicities = Uint8Array.of(3, 15, 1, 1, 9, 2, 7, 4);
const statement = statementOf(setting, multiplicities);
const proof = prove(setting, multiplicities, statement);
const read = readProof(setting, { statement, proof })!;

/** Returns the challenges of a proof, in order. */
const asked = ({ point, weights, challenges, digest }: ReadProof): string[] =>
  [point, ...Object.values(weights), ...challenges, digest].map(String);

test('each entry changes the later challenges, and no earlier one', () => {
  const [counts, inverses, rounds] = [48, 48 + 60, 48 + 60 + 48];
  const entries: [name: string, at: number, unchanged: number][] = [
    ['commitment', 0, 0],
    ['counts', counts, 0],
    ['inverses', inverses, 1],
    ...[0, 1, 2].flatMap((round): [string, number, number][] => [
      ['low', rounds + 96 * round, 6 + round],
      ['high', rounds + 96 * round + 48, 6 + round],
    ]),
    ['left', proof.length - 64, 9],
    ['right', proof.length - 32, 9],
  ];
  for (const [name, at, unchanged] of entries) {
    const other = Uint8Array.from(proof);
    if (name === 'counts') other[at + 3]! ^= 1;
    else if (name === 'left' || name === 'right') other.set(scalarBytes(1n), at);
    else other.set(statement.key, at);
    const answers = asked(readProof(setting, { statement, proof: other })!);
    for (const [i, answer] of asked(read).entries())
      expect(answers[i] === answer, `${name} at ${at}, answer ${i}`).toBe(i < unchanged);
  }
});
