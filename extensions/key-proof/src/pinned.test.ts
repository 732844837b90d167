import { expect, it } from 'vitest';
import { digestOf } from '../../../tests/digests.ts';
import { groups, settingOf } from '../tests/fixtures.ts';
import { verifyBatch } from './batch.ts';
import { prove } from './prove.ts';
import { statementOf } from './statement.ts';

const committee = 12;

it.each(groups)('a proof on $name has unchanged bytes, so that verifiers of every version accept it', (group) => {
  const setting = settingOf(group, committee);
  const multiplicities = Uint8Array.from({ length: committee }, (_, index) => index);
  expect(digestOf([statementOf(setting, multiplicities), prove(setting, multiplicities)])).toBe('34584f304df4');
});

it('unreadable and invalid proofs of a batch are reported in the order of the batch', () => {
  const setting = settingOf(groups[0]!, 3);
  const [one, other] = [Uint8Array.of(1, 0, 2), Uint8Array.of(3, 1, 0)].map((multiplicities) => ({
    statement: statementOf(setting, multiplicities),
    proof: prove(setting, multiplicities),
  }));
  const wrong = { statement: other!.statement, proof: one!.proof };
  const cut = { statement: one!.statement, proof: one!.proof.subarray(1) };
  expect(verifyBatch(setting, [wrong, one!, cut, other!]).invalid).toEqual([0, 2]);
});
