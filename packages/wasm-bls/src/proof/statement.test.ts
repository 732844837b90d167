import { expect, test } from 'vitest';
import { committeeKeys, groups, settingOf, someMultiplicities } from '../../test/proof-fixtures.ts';
import { openTranscript, statementOf } from './statement.ts';

test('the first challenge depends on keys, their order and number, domain, aggregated key and commitment (Horn: Aggregation using SNARKs)', () => {
  const [group] = groups as [(typeof groups)[0]];
  const keys = committeeKeys(5);
  const setting = settingOf(group, 4);
  const statement = statementOf(setting, someMultiplicities(4));
  const other = statementOf(setting, someMultiplicities(4, 8));
  const settings = [
    setting,
    settingOf(group, 5),
    settingOf(group, 3),
    settingOf(group, 4, 'another domain'),
    settingOf(group, 4, undefined, [keys[0]!, keys[1]!, keys[2]!, keys[4]!]),
    settingOf(group, 4, undefined, [keys[1]!, keys[0]!, keys[2]!, keys[3]!]),
  ];
  const challenges = [
    ...settings.map((one) => openTranscript(one, statement).challenge('c')),
    openTranscript(setting, { ...statement, key: other.key }).challenge('c'),
    openTranscript(setting, { ...statement, commitment: other.commitment }).challenge('c'),
    openTranscript(setting, { key: statement.commitment, commitment: statement.key }).challenge('c'),
  ];
  expect(new Set(challenges).size).toBe(challenges.length);
  expect(openTranscript(settingOf(group, 4), { ...statement }).challenge('c')).toBe(challenges[0]);
});
