import { expect, it } from 'vitest';
import { upTo } from '../../../core/test/sizes.ts';
import { chooseNamed } from './chooseNamed.ts';

const names = ['a', 'b', 'c', 'd'];
const choices = (list: readonly string[]) => upTo(2000).map((seed) => chooseNamed(list, seed, 'test'));

it('chooses each name equally often, in any order of names', () => {
  for (const name of names) {
    const count = choices(names).filter((chosen) => chosen === name).length;
    expect(count).toBeGreaterThan(430);
    expect(count).toBeLessThan(570);
  }
  expect(choices(names.toReversed())).toEqual(choices(names));
});

it('changes a choice after a new name only to the new name', () => {
  const [before, after] = [choices(names), choices([...names, 'e'])];
  expect(after.map((chosen, seed) => (chosen === 'e' ? before[seed] : chosen))).toEqual(before);
  expect(after).toContain('e');
});

it('makes independent choices for another purpose', () => {
  expect(upTo(2000).map((seed) => chooseNamed(names, seed, 'other'))).not.toEqual(choices(names));
});
