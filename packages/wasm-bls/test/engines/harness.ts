/** The compliance suite's parts of vitest, for engines without vitest, with the matchers of vitest. */
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect';
import { spyOn } from '@vitest/spy';
import * as chai from 'chai';

/** Methods of Node's Buffer that the suite uses, for browsers. */
class Bytes extends Uint8Array {
  override toString(_encoding?: string): string {
    return Array.from(this, (byte) => byte.toString(16).padStart(2, '0')).join('');
  }
}
const hexOf = (hex: string): number[] => (hex.match(/../g) ?? []).map((byte) => Number.parseInt(byte, 16));
const bytesFrom = (source: Uint8Array | string): Bytes =>
  new Bytes(typeof source === 'string' ? hexOf(source) : source);

if (!('Buffer' in globalThis)) Object.assign(globalThis, { Buffer: { from: bytesFrom } });

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = chai.expect as unknown as typeof import('vitest').expect;
export const vi = { spyOn };

type Body = (...row: never[]) => unknown;

const names: string[] = [];
const tests: { readonly name: string; readonly body: () => unknown }[] = [];

export function describe(name: string, body: () => void): void {
  names.push(name);
  body();
  names.pop();
}

export function test(name: string, body: () => unknown): void {
  tests.push({ name: [...names, name].join(' > '), body });
}

test.each =
  (rows: readonly unknown[]) =>
  (name: string, body: Body): void => {
    for (const [i, row] of rows.entries())
      test(`${name} [${i}]`, () => body(...((Array.isArray(row) ? row : [row]) as never[])));
  };

/** Runs the described tests in order; returns the number of passed tests, and a line for each failed one. */
export async function runTests(): Promise<{ passed: number; failed: string[] }> {
  const failed: string[] = [];
  for (const { name, body } of tests) {
    try {
      await body();
    } catch (error) {
      failed.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { passed: tests.length - failed.length, failed };
}
