import { expect, test } from 'vitest';
import { committeeKeys, groups, settingOf, someMultiplicities } from '../tests/fixtures.ts';
import { openTranscript, statementOf, supportOf } from './statement.ts';

test('the first challenge depends on keys, their order and number, domain, aggregated key and bits (Horn: Aggregation using SNARKs)', () => {
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
    openTranscript(setting, { ...statement, bits: Uint8Array.of(statement.bits[0]! ^ 1) }).challenge('c'),
  ];
  expect(new Set(challenges).size).toBe(challenges.length);
  expect(openTranscript(settingOf(group, 4), { ...statement }).challenge('c')).toBe(challenges[0]);
});

test('the support is the set of one bits, and undefined for another length, no bits, or a bit beyond the keys', () => {
  const setting = settingOf(groups[0]!, 13);
  const { bits } = statementOf(setting, Uint8Array.of(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0));
  expect(supportOf(setting, bits)).toEqual(Uint32Array.of(1, 2, 4, 5, 7, 8, 10, 11));
  for (const bits of [Uint8Array.of(1), Uint8Array.of(1, 0, 0), Uint8Array.of(0, 0), Uint8Array.of(1, 0x20)])
    expect(supportOf(setting, bits)).toBeUndefined();
  expect(supportOf(setting, Uint8Array.of(0, 0x10))).toEqual(Uint32Array.of(12));
});
