import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readStoryLink, writeStoryLink } from './address.ts';

const chapters = ['race', 'doubling'];

describe('a whole run in a link', () => {
  it('is encoded once, whatever it holds, and found again', () => {
    const run = new URLSearchParams([
      ['n', '64'],
      ['attack', 'invalid:0.2'],
      ['attack', 'silent:0.1'],
      ['faults', '[{"kind":"crash","nodes":[1,2],"atMs":3}]'],
    ]).toString();
    const link = writeStoryLink({ chapter: 'break-it', fields: new Map([['run', run]]), atMs: 12 });
    expect(link).not.toContain('%25');
    const read = readStoryLink(link, ['break-it'])!;
    expect(new URLSearchParams(read.fields.get('run')).toString()).toBe(run);
    expect(read.atMs).toBe(12);
    const old = `#break-it&run=${encodeURIComponent(run)}&t=12`;
    expect(readStoryLink(old, ['break-it'])!.fields.get('run')).toBe(run);
  });
});

describe('readStoryLink', () => {
  it('reads a chapter, what it shows and the moment', () => {
    expect(readStoryLink('#doubling&n=64&t=150.5', chapters)).toEqual({
      chapter: 'doubling',
      fields: new Map([['n', '64']]),
      atMs: 150.5,
    });
  });

  it('knows no link to a run, and no other word', () => {
    for (const hash of ['', '#', '#n=64&t=150', '#desk&t=1', '#race=1']) {
      expect(readStoryLink(hash, chapters)).toBeUndefined();
    }
  });

  it.each(['#race&t=', '#race&t=soon', '#race&t=-1', '#race'])('plays from the beginning by %s', (hash) => {
    expect(readStoryLink(hash, chapters)?.atMs).toBeUndefined();
  });

  it('gives back what writeStoryLink wrote', () => {
    const link = fc.record({
      chapter: fc.constantFrom(...chapters),
      fields: fc.dictionary(fc.stringMatching(/^[a-s]{1,6}$/), fc.string()).map((all) => new Map(Object.entries(all))),
      atMs: fc.option(fc.nat(20_000), { nil: undefined }),
    });
    fc.assert(
      fc.property(link, (one) => {
        expect(readStoryLink(writeStoryLink(one), chapters)).toEqual(one);
      }),
    );
  });
});
