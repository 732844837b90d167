import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the output of a CommonJS program that finds this package by its name. */
const printed = (program: string): string =>
  execFileSync(process.execPath, ['--input-type=commonjs', '--no-warnings', '--eval', program], {
    cwd: folder,
    encoding: 'utf8',
  }).trim();

it.each(['chainsafe', 'noble'])('a CommonJS program imports the entry point %s, and cannot require it', (name) => {
  const path = `@tutti/wasm-bls/${name}`;
  expect(printed(`try { require('${path}') } catch ({ code }) { console.log(code) }`)).toBe('ERR_REQUIRE_ASYNC_MODULE');
  expect(printed(`import('${path}').then((all) => console.log(typeof (all.bls ?? all.bls12_381)))`)).toBe('object');
});

it.each(['', '/kernel'])('a CommonJS program requires @tutti/wasm-bls%s', (entry) => {
  expect(printed(`console.log(typeof require('@tutti/wasm-bls${entry}'))`)).toBe('object');
});
