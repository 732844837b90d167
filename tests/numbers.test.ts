import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  blocksOf,
  type CommandResult,
  commandsOf,
  givenFile,
  givenIn,
  givenNow,
  keptOf,
  numbersOf,
  pagesWithNumbers,
  rendered,
} from '../scripts/docs-numbers/blocks.mjs';
import { sampleOf, sourcesName } from '../scripts/docs-numbers.mjs';
import { root } from '../scripts/run.mjs';
import { temporaryFolder } from './tutti.ts';

const pages = pagesWithNumbers().map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }));
const blocks = pages.flatMap(({ page, text }) => blocksOf(page, text));

const table = `<!-- numbers
run = simulate --nodes {2} --attack {1}:0.3
cells = | | | {ms} | {checks:1} |
-->
| attack | N | ms | checks |
|---|---|---|---|
| [silent](x.md) | 1,024 | 1 | 2 |
| \`invalid\` | 64 | 3 | 4 |
<!-- /numbers -->`;
const prose = `<!-- numbers
silent = simulate --attack silent:0.3 --seed 1..2
-->
In 64 nodes 1<!--=silent.ms--> ms, 2<!--=silent.ms/100:2--> times.
<!-- /numbers -->`;

/** Results of runs whose duration is 100 ms per letter of their command. */
const results = {
  get: (command: string): CommandResult => {
    const output = {
      timeToThresholdMs: { min: 1, mean: 100 * command.length + 0.4, max: 5 },
      checked: { mean: 12.34 },
    };
    return { digest: `of ${command}`, output: JSON.stringify(output) };
  },
} as ReadonlyMap<string, CommandResult>;
const only = (text: string) => blocksOf('page.md', text)[0]!;

describe('a block of numbers', () => {
  it('names the commands of its rows and of its seeds', () => {
    expect(commandsOf(only(table))).toEqual([
      'simulate --nodes 1024 --attack silent:0.3',
      'simulate --nodes 64 --attack invalid:0.3',
    ]);
    expect(commandsOf(only(prose))).toEqual([1, 2].map((seed) => `simulate --attack silent:0.3 --seed ${seed}`));
  });

  it('contains the output of the runs in the cells with a pattern before the marks', () => {
    expect(rendered(only(table), results)).toContain(
      '| [silent](x.md) | 1,024 | 4,100 | 12.3 |\n| `invalid` | 64 | 4,000 |',
    );
    expect(rendered(only(prose), results)).toContain(
      'In 64 nodes 3,700<!--=silent.ms--> ms, 37.00<!--=silent.ms/100:2-->',
    );
  });

  it.each([table, prose])('is the same when it is printed again, and differs for another run', (text) => {
    const once = rendered(only(text), results);
    expect(rendered(only(once), results)).toBe(once);
    const moved = { get: (command: string) => ({ ...results.get(command)!, digest: 'moved' }) };
    expect(rendered(only(once), moved as ReadonlyMap<string, CommandResult>)).not.toBe(once);
  });
});

describe('the numbers of the docs', () => {
  it('are as printed: no number of a block was changed by hand', () => {
    expect(blocks.length).toBeGreaterThan(0);
    for (const { name, body, numbers } of blocks)
      expect(numbers, `${name}: npm run numbers -- --write`).toBe(numbersOf(body));
  });

  it('a number that was changed by hand is found by the digest of its block', () => {
    for (const { page, text } of pages)
      for (const { body, whole } of blocksOf(page, text))
        for (const [number] of body.replaceAll(/\]\([^)]*\)/g, ']').matchAll(/(?<![\w.,])\d[\d,.]*\d(?![\w-])/g)) {
          const forged = blocksOf(page, whole.replace(body, body.replace(number, `${number}7`)))[0]!;
          expect(forged.numbers).not.toBe(numbersOf(forged.body));
        }
  });

  it('are in blocks, or are listed as given', () => {
    const given: unknown = JSON.parse(readFileSync(givenFile, 'utf8'));
    expect(givenNow(), 'put it into a block; if no run printed it: npm run numbers -- --given').toEqual(given);
    for (const { page, text } of pages) {
      const stale = `${text}\nIt takes 658 ms, and 1,746 with 11.5 checks.\n`;
      expect(givenIn(page, stale)).toEqual([...givenIn(page, text), '658', '1,746', '11.5']);
      expect(keptOf(page, stale)).not.toBe(keptOf(page, text));
    }
  });

  it('are all recomputed by three consecutive runs of CI, and locally within the budget', () => {
    for (const first of [0, 1, 2, 1234]) {
      const drawn = [0, 1, 2].flatMap((k) => sampleOf(blocks, { run: first + k, seed: first * k }));
      expect(new Set(drawn.map(({ name }) => name)).size).toBe(blocks.length);
    }
    const costOf = () => 1;
    expect(sampleOf(blocks, { run: 1, seed: 5, budget: 1, costOf })).toHaveLength(1);
    const named = Array.from({ length: 300 }, (_, k) => ({ name: `page${k}` }));
    expect(sampleOf(named, { run: 1, seed: 5 }).length).toBeLessThan(200);
    expect(sampleOf(named, { run: 1, seed: 5 })).not.toEqual(sampleOf(named, { run: 1, seed: 6 }));
  });
});

it('stores results under a name that changes with the command, the packages and the scripts', () => {
  const folder = temporaryFolder();
  const names = new Set<string>();
  for (const path of ['packages/lab/src/a.ts', 'apps/node-cli/src/a.ts', 'scripts/a.mjs', 'tests/verifiers/a.mjs']) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
    names.add(sourcesName(folder));
    writeFileSync(join(folder, path), 'changed');
    names.add(sourcesName(folder));
  }
  expect(names.size).toBe(8);
});
