import { defaultScenario, scenarioFields } from '@tutti/simulation';
import { expect, it } from 'vitest';
import { withText } from './otherFields.ts';

const fieldNamed = (name: string) => scenarioFields.find((field) => field.name === name)!;

it('the text of a field is read like its flag', () => {
  expect(withText(defaultScenario, fieldNamed('threshold'), ' 0.51 ').threshold).toBe(0.51);
  expect(() => withText(defaultScenario, fieldNamed('threshold'), 'half')).toThrow(/^threshold: expected .*got "half"/);
});

it('a list of words replaces the previous one', () => {
  const before = { ...defaultScenario, without: ['score' as const] };
  expect(withText(before, fieldNamed('without'), 'window, blacklist').without).toEqual(['window', 'blacklist']);
  expect(withText(before, fieldNamed('without'), '').without).toEqual([]);
  expect(() => withText(before, fieldNamed('without'), 'luck')).toThrow(RangeError);
});
