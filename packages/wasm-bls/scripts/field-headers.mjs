/** Constants of the headers in crate/field, and the checks of their bounds; for lane-bounds.mjs and wide-bounds.mjs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crateFolder } from './kernel-source.mjs';

/** The modulus of Fp (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1). */
export const p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
export const two = (power) => 1n << BigInt(power);

/** Returns the headers of the field arithmetic. A test may pass different headers. */
export const readHeaders = () =>
  Object.fromEntries(
    ['words.h', 'digits.h', 'lanes.h', 'lanes_tower.h', 'wide.h', 'wide_tower.h'].map((name) => [
      name,
      readFileSync(join(crateFolder, 'field', name), 'utf8'),
    ]),
  );

/** Returns the quotient of two integers, truncated to 4 decimals. */
export const ratio = (a, b) => Number((a * 10_000n) / b) / 10_000;
export const log2 = (a) => Math.log2(Number(a));

/** @throws Error with a description of the broken rule, if the rule does not hold. */
export function ensure(holds, what) {
  if (!holds) throw new Error(`crate/field: ${what}`);
}

/** Returns the numbers in a C array. */
export function array(text, name) {
  const [, body] = new RegExp(`${name}\\[\\w*\\] = \\{([^}]*)\\}`).exec(text) ?? [];
  ensure(body !== undefined, `${name} is not found`);
  return body.split(',').map((word) => BigInt(word.trim().replace(/\.0$/, '')));
}

/** Returns the number that a C macro defines: an integer, or 1.5 times a power of two. */
export function constant(text, name) {
  const [, word] = new RegExp(`^#define ${name} (\\S+)`, 'm').exec(text) ?? [];
  ensure(word !== undefined, `${name} is not found`);
  const float = /^0x1\.8p(\d+)$/.exec(word);
  return float ? 3n * two(Number(float[1]) - 1) : BigInt(word.replace(/ULL$|\.0$/, ''));
}
