import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampled } from './sampled.ts';

const folder = join(import.meta.dirname, '../examples');

const lines: Readonly<Record<string, RegExp>> = {
  'certify.mjs': /^175 bytes: at least 67 of 100 signed: true\n$/,
  'latencies.mjs': /^300 of 300 nodes in Zurich, Singapore, Santiago: \d+ ms on average\n$/,
  'own-port.mjs': /^8 of 8 nodes hold a multi-signature of all\n$/,
  'own-transport.mjs': /^5 messages certified, each by at least [45] of 5\n$/,
  'peers.mjs': /^16 of 16 peers hold a multi-signature of all\n$/,
  'room.mjs': /^3 of 3 signed "We were here.": valid\n$/,
  'three-members.mjs': /^(signed by 3 of 3\n){3}$/,
  'variant.mjs': /^Handel: ((\d+) of \2 done after .*\n)control: \1patient Handel: (\d+) of \3 done after .*\n$/,
};

it.each(sampled(Object.entries(lines), 1))(
  'examples/%s runs',
  (name, expected) => {
    expect(execFileSync(process.execPath, [join(folder, name)], { encoding: 'utf8' })).toMatch(expected);
  },
  60_000,
);

it('every example is listed and runs, in Node or in a browser', () => {
  const programs = readdirSync(folder).filter((name) => /\.(mjs|html)$/.test(name));
  expect(programs).toEqual([...Object.keys(lines), 'page.html', 'tabs.html'].toSorted());
  const list = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const name of programs) expect(list).toContain(`](${name})`);
});
