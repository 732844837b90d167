import { describe, expect, it } from 'vitest';
import { storyNotices } from './storyNotices.ts';

describe('storyNotices', () => {
  it.each([
    '',
    '#race',
    '#race&dead=0.2&t=3000',
    '#doubling&n=64&network=aws',
    '#desk&node=63&t=0',
    '#switch-off&without=blacklist',
    '#break-it&run&n=64&attack=invalid:0.3&attack=silent:0.1&t=12',
    '#growth&n=4096',
    '#horn&n=65536&eve=0.3',
    '#protocol=gossip&n=64',
  ])('says nothing of %s', (hash) => {
    expect(storyNotices(hash)).toEqual([]);
  });

  it.each([
    ['#nonsense', 'There is no chapter “nonsense”'],
    ['#desk&t=-5', 't: a moment is a number of milliseconds from 0 on, not “-5”'],
    ['#desk&node=-1', 'node: this chapter shows 0 to 63, not “-1”.'],
    ['#doubling&n=7', 'n: this chapter shows 8 or 64, not “7”.'],
    ['#race&dead=0.7', 'dead: this chapter shows 0 or 0.2, not “0.7”.'],
    ['#horn&n=5', 'n: this chapter shows 65536 or 1048576, not “5”.'],
    ['#growth&n=100', 'n: this chapter shows a power of two from 8 to 4,096, not “100”.'],
    ['#race&colour=red', 'colour: this chapter has no such field.'],
  ])('says of %s what it cannot show', (hash, notice) => {
    expect(storyNotices(hash).join(' ')).toContain(notice);
  });
});
