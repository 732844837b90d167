import { readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folderNames, packageOf, sourcesOf } from '../scripts/mutants/folders.mjs';
import { mutate, placeKey, placesOf, sample } from '../scripts/mutants/places.mjs';
import { Runner } from '../scripts/mutants/runner.mjs';
import { root } from '../scripts/run.mjs';
import { isWhole, sampled } from './sampled.ts';

const changes = (source: string) => placesOf(source).map((place) => mutate(source, place));

describe('placesOf', () => {
  it('changes operators, numbers, conditions, calls and statements, one at a time', () => {
    expect(changes('const a = b < 2;')).toEqual(['const a = b <= 2;', 'const a = b < 3;']);
    expect(changes('if (!a) b();')).toEqual(['if (true) b();', 'if (false) b();', 'if (a) b();', 'if (!a) ;']);
    expect(changes('x = Math.min(a, b);')).toEqual([';', 'x = Math.max(a, b);']);
    expect(changes('for (;;) { n++; continue; }')).toEqual([
      'for (;;) { ; continue; }',
      'for (;;) { n--; continue; }',
      'for (;;) { n++; ; }',
    ]);
    expect(changes("f('a', true, -x)").length).toBe(4);
  });

  it('leaves types, imports, texts of errors and joined texts unchanged', () => {
    for (const source of [
      ...["import { a } from './b.ts';", "export { a } from './b.ts';", 'interface A { readonly b: 1 | 2 }'],
      ...['type A = 1 | true;', "throw new RangeError('no ' + a);"],
    ])
      expect(changes(source), source).toEqual([]);
  });

  it('every mutant of every source differs in text, and its key contains its line, not its index', () => {
    expect(placesOf('a(1, 1);').map((place) => placeKey('f', place))).toEqual([
      'f | a(1, 1); | a(1, 1); -> ;',
      'f | a(1, 1); | 1 -> 2',
      'f | a(1, 1); | 1 -> 2 | 2',
    ]);
    for (const folder of sampled(folderNames, 2))
      for (const { path } of sourcesOf(folder)) {
        const source = readFileSync(path, 'utf8');
        for (const place of placesOf(source)) {
          expect(mutate(source, place)).not.toBe(source);
          expect(source.slice(place.start, place.end)).toBe(place.before);
        }
        const moved = placesOf(`\n\n${source}`).map((place) => placeKey('a', place));
        expect(moved).toEqual(placesOf(source).map((place) => placeKey('a', place)));
      }
  });
});

it('every reason for an equivalent mutant belongs to a place in the sources', () => {
  const keysOf = ({ path }: { path: string }) =>
    placesOf(readFileSync(path, 'utf8')).map((place) => placeKey(relative(root, path), place));
  const keys = new Set(folderNames.flatMap((folder) => sourcesOf(folder).flatMap(keysOf)));
  const reasons = Object.keys(JSON.parse(readFileSync(`${root}scripts/mutants/equivalent.json`, 'utf8')));
  expect(reasons.filter((key) => !keys.has(key))).toEqual([]);
});

describe('sample', () => {
  const folders = new Map([
    ['small', [1, 2, 3]],
    ['large', Array.from({ length: 100 }, (_, index) => index)],
    ['medium', Array.from({ length: 50 }, (_, index) => index)],
  ]);

  const named = (place: number) => `place ${place}`;

  it('is the same for the same seed, differs for another seed, and is spread evenly over the places', () => {
    const drawn = sample(folders, 43, 7, named);
    expect([...drawn].map(([name, places]) => [name, places.length])).toEqual([
      ['small', 3],
      ['medium', 20],
      ['large', 20],
    ]);
    expect(sample(folders, 43, 7, named)).toEqual(drawn);
    expect(sample(folders, 43, 8, named)).not.toEqual(drawn);
    for (const places of drawn.values()) expect(new Set(places).size).toBe(places.length);
  });
});

it('each source has tests that may detect a change, starting with the test of its name', () => {
  for (const folder of folderNames)
    for (const { path, tests } of sourcesOf(folder)) {
      expect(tests.length, path).toBeGreaterThan(0);
      const own = path.replace(/\.ts$/, '.test.ts');
      if (tests.includes(own)) expect(tests[0]).toBe(own);
    }
  const of = (folder: string, name: string) =>
    sourcesOf(folder)
      .find(({ path }) => basename(path) === name)!
      .tests.map((test) => basename(test));
  expect(of('rounds', 'plan.ts')).toEqual(expect.arrayContaining(['plan.test.ts', 'peer.test.ts', 'vectors.test.ts']));
  expect(of('rounds', 'plan.ts')).not.toContain('rememberedSecrets.test.ts');
});

it.skipIf(!isWhole)('a runner distinguishes a killed mutant from a survivor, and leaves the source alone', async () => {
  const { path } = sourcesOf('contribution').find((source) => source.path.endsWith('/setCode.ts'))!;
  const test = join(dirname(path), 'setCode.test.ts');
  const source = readFileSync(path, 'utf8');
  const runner = new Runner(packageOf(test));
  try {
    expect((await runner.run(path, undefined, test, 60_000)).killed).toBe(false);
    const [first] = placesOf(source);
    expect(await runner.run(path, mutate(source, first!), test, 60_000)).toMatchObject({ killed: true, how: 'test' });
    // A mutant and its failure must not affect later runs.
    expect((await runner.run(path, undefined, test, 60_000)).killed).toBe(false);
    expect((await runner.run(path, `${source}\n// the same\n`, test, 60_000)).killed).toBe(false);
    const endless = `${source}\nfor (;;);\n`;
    expect(await runner.run(path, endless, test, 500)).toMatchObject({ killed: true, how: 'time' });
    expect((await runner.run(path, undefined, test, 60_000)).killed).toBe(false);
  } finally {
    runner.close();
  }
  expect(readFileSync(path, 'utf8')).toBe(source);
});
