import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { tooLong } from '../scripts/architecture.mjs';

it('docs/architecture.md has the rooms and arrows that there are, no folders import each other in a circle, and nothing is longer than it may be', () => {
  execFileSync(process.execPath, ['scripts/architecture.mjs', '--check'], { cwd: new URL('../', import.meta.url) });
});

it('finds functions over 80 lines and classes over 300, by name', () => {
  const lines = (count: number) => 'this.a();\n'.repeat(count);
  const text = `
    const short = () => {\n${lines(78)}};
    const long = () => {\n${lines(79)}};
    class Small {\n constructor() {\n${lines(79)}}\n#b() {\n}\n}
    class Large {\n${'a() {\n}\n'.repeat(150)}}
  `;
  expect(tooLong('a.ts', text)).toEqual([
    { name: 'long', kind: 'function', lines: 81 },
    { name: 'Small.constructor', kind: 'function', lines: 81 },
    { name: 'Large', kind: 'class', lines: 302 },
  ]);
});
