import assert from 'node:assert/strict';
import { field } from '../kernel/tutti_bls.js';

/** The modulus of Fp (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1). */
const p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const ELEMENT_BYTES = 48;

const modP = (value) => ((value % p) + p) % p;

function power(base, exponent) {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % p)
    if (rest & 1n) result = (result * square) % p;
  return result;
}

/** Elements are held times 2^384, so a product is divided by it. */
const perRadix = power(modP(1n << 384n), p - 2n);
const product = (a, b) => modP(modP(a * b) * perRadix);

/** An element is a list of integers in memory, 0..p-1: one of Fp, or the two halves of one of Fp2. */

const each = (f) => (a, b) => a.map((x, i) => modP(f(x, b[i])));

const multiply = (a, b) => {
  const [x0, x1] = a;
  const [y0, y1] = b;
  if (x1 === undefined || y1 === undefined) return [product(x0, y0)];
  return [modP(product(x0, y0) - product(x1, y1)), modP(product(x0, y1) + product(x1, y0))];
};

/** What multiplied by the element gives one, that is the radix; of zero, zero. */
const inverse = (a) => {
  const norm = a.reduce((sum, x) => modP(sum + product(x, x)), 0n);
  const reciprocal = (x) => modP(power(modP(x * perRadix), p - 2n) << 384n);
  return a.length === 1 ? [reciprocal(a[0])] : multiply([a[0], modP(-a[1])], [reciprocal(norm), 0n]);
};

/** What is held against big integers: its name in the kernel, and the answer that is expected. */
export const operations = [
  { name: 'mul', expected: multiply },
  { name: 'sqr', expected: (a) => multiply(a, a) },
  { name: 'add', expected: each((x, y) => x + y) },
  { name: 'sub', expected: each((x, y) => x - y) },
  { name: 'triple', expected: each((x) => 3n * x) },
  { name: 'eightfold', expected: each((x) => 8n * x) },
  { name: 'inverse', expected: inverse },
];

function toBytes(element) {
  const bytes = new Uint8Array(element.length * ELEMENT_BYTES);
  for (const [half, value] of element.entries())
    for (let i = 0, rest = value; i < ELEMENT_BYTES; i++, rest >>= 8n)
      bytes[half * ELEMENT_BYTES + i] = Number(rest & 255n);
  return bytes;
}

function fromBytes(bytes) {
  const halves = [];
  for (let at = 0; at < bytes.length; at += ELEMENT_BYTES)
    halves.push(bytes.subarray(at, at + ELEMENT_BYTES).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n));
  return halves;
}

/** What the kernel says. */
export const kernelAnswer = (name, a, b) => fromBytes(field(name, toBytes(a), toBytes(b)));

/** All values of Fp with a digit or limb at its limit: ends of the range, and of digits of 30 and 48 bits, 32-bit limbs and 64-bit words. */
export function edges() {
  const values = [0n, 1n, 2n, 3n, p - 1n, p - 2n, (p - 1n) / 2n, (p + 1n) / 2n, (1n << 380n) - 1n, 1n << 380n];
  for (const [bits, count] of [
    [30, 13],
    [48, 8],
    [32, 12],
    [64, 6],
  ]) {
    const ones = (1n << BigInt(bits)) - 1n;
    const sign = 1n << BigInt(bits - 1);
    let [allOnes, allSigns, allLargest] = [0n, 0n, 0n];
    for (let i = 0; i < count; i++) {
      const at = BigInt(bits * i);
      values.push(1n << at, ones << at, sign << at, (sign - 1n) << at);
      allOnes |= ones << at;
      allSigns |= sign << at;
      allLargest |= (sign - 1n) << at;
    }
    values.push(allOnes, allSigns, allLargest);
  }
  // The arithmetic takes the digits of 8a.
  return [...new Set(values.flatMap((value) => [value, value >> 3n, p - (value % p)]).map(modP))];
}

export { p };

const limits = edges();

/**
 * Holds every operation against big integers for one pair of elements: random ones, with some coordinates at their limits.
 *
 * @param draw - gives a uniform integer of 32 bits.
 */
export function fieldCheck(draw) {
  const coordinate = () => {
    if (draw() % 2 === 0) return limits[draw() % limits.length];
    let value = 0n;
    for (let i = 0; i < 13; i++) value = (value << 32n) | BigInt(draw());
    return value % p;
  };
  const length = 1 + (draw() % 2);
  const [a, b] = [Array.from({ length }, coordinate), Array.from({ length }, coordinate)];
  // Big integers take a millisecond for an inverse.
  const withInverse = draw() % 16 === 0;
  for (const { name, expected } of operations)
    if (name !== 'inverse' || withInverse)
      assert.deepEqual(kernelAnswer(name, a, b), expected(a, b), `${name}(${a}; ${b})`);
}
