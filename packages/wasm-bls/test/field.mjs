import assert from 'node:assert/strict';
import { bls12_381 } from '@noble/curves/bls12-381.js';
import { field } from '../kernel/tutti_bls.js';

/** The modulus of Fp (draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1). */
export const p = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;
const elementBytes = 48;

const modP = (value) => ((value % p) + p) % p;

function power(base, exponent) {
  let result = 1n;
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n, square = (square * square) % p)
    if (rest & 1n) result = (result * square) % p;
  return result;
}

/** Elements are stored multiplied by 2^384, so a product is divided by that factor. */
const perRadix = power(modP(1n << 384n), p - 2n);
const product = (a, b) => modP(modP(a * b) * perRadix);

/** An element is a list of integers in memory, 0..p-1: one for Fp, or two, the parts of the element, for Fp2. */

const each = (f) => (a, b) => a.map((x, i) => modP(f(x, b[i])));

const multiply = (a, b) => {
  const [x0, x1] = a;
  const [y0, y1] = b;
  if (x1 === undefined || y1 === undefined) return [product(x0, y0)];
  return [modP(product(x0, y0) - product(x1, y1)), modP(product(x0, y1) + product(x1, y0))];
};

/** Returns the inverse in Montgomery form, whose product with the element is the radix. The inverse of 0 is 0. */
const inverse = (a) => {
  const norm = a.reduce((sum, x) => modP(sum + product(x, x)), 0n);
  const reciprocal = (x) => modP(power(modP(x * perRadix), p - 2n) << 384n);
  return a.length === 1 ? [reciprocal(a[0])] : multiply([a[0], modP(-a[1])], [reciprocal(norm), 0n]);
};

/** Operations compared with big integers: the name in the kernel, and a function with the expected answer. */
export const operations = [
  { name: 'mul', expected: multiply },
  { name: 'sqr', expected: (a) => multiply(a, a) },
  { name: 'add', expected: each((x, y) => x + y) },
  { name: 'sub', expected: each((x, y) => x - y) },
  { name: 'triple', expected: each((x) => 3n * x) },
  { name: 'eightfold', expected: each((x) => 8n * x) },
  { name: 'inverse', expected: inverse },
];

/*
 * An element of Fp12 is twelve integers: the two parts of each coordinate in Fp2 of 1, v, v^2, then of w, v w, v^2 w,
 * where w^2 = v and v^3 = u + 1. This file multiplies elements as polynomials in w, without the tower of fields.
 */

const coordinateCount = 12;
const pairs = (a) => Array.from({ length: a.length / 2 }, (_, i) => [a[2 * i], a[2 * i + 1]]);
const plus = each((x, y) => x + y);
const minus = each((x, y) => x - y);
const timesNonResidue = ([x0, x1]) => [modP(x0 - x1), modP(x0 + x1)];
/** Convert between the index of a coordinate and its exponent of w. */
const exponentOf = (i) => (i < 3 ? 2 * i : 2 * i - 5);
const coordinateAt = (exponent) => (exponent % 2 === 0 ? exponent / 2 : (exponent + 5) / 2);

function multiplyTower(a, b) {
  const sums = Array.from({ length: 6 }, () => [0n, 0n]);
  for (const [i, x] of pairs(a).entries())
    for (const [j, y] of pairs(b).entries()) {
      const exponent = exponentOf(i) + exponentOf(j);
      const term = multiply(x, y);
      const at = coordinateAt(exponent % 6);
      sums[at] = plus(sums[at], exponent < 6 ? term : timesNonResidue(term));
    }
  return sums.flat();
}

/** Returns an element as a line, which has only three coordinates, of 1, v and v w. */
const line = (b) => [...b.slice(0, 4), 0n, 0n, 0n, 0n, ...b.slice(4, 6), 0n, 0n];

/** Returns Granger and Scott's square (https://eprint.iacr.org/2009/565, 3.2), for the cyclotomic subgroup. */
function cyclotomicSquare(a) {
  const x = pairs(a);
  /** Returns (y + z s)^2 with s^2 = u + 1. */
  const square = (y, z) => {
    const both = multiply(y, z);
    return [plus(multiply(y, y), timesNonResidue(multiply(z, z))), plus(both, both)];
  };
  const [one, two, three] = [square(x[0], x[4]), square(x[3], x[2]), square(x[1], x[5])];
  const thrice = (y) => plus(plus(y, y), y);
  return [
    ...[one, two, three].flatMap(([y], i) => minus(thrice(y), plus(x[i], x[i]))),
    ...[timesNonResidue(three[1]), one[1], two[1]].flatMap((y, i) => plus(thrice(y), plus(x[3 + i], x[3 + i]))),
  ];
}

/** Operations in Fp12 that are compared with big integers. */
export const towerOperations = [
  { name: 'mul', expected: multiplyTower },
  { name: 'sqr', expected: (a) => multiplyTower(a, a) },
  { name: 'line', expected: (a, b) => multiplyTower(a, line(b)) },
  { name: 'cyclotomic', expected: cyclotomicSquare },
];

/** Compares the square in the cyclotomic subgroup with noble-curves, which raises an element into it. */
export function cyclotomicCheck(draw) {
  const { Fp12 } = bls12_381.fields;
  const raised = Fp12.finalExponentiate(
    Fp12.fromBigTwelve(Array.from({ length: coordinateCount }, () => BigInt(draw()) + 1n)),
  );
  const inMemory = ({ c0, c1 }) =>
    [c0.c0, c0.c1, c0.c2, c1.c0, c1.c1, c1.c2].flatMap(({ c0, c1 }) => [c0, c1].map((x) => modP(x << 384n)));
  assert.deepEqual(kernelAnswer('cyclotomic', inMemory(raised), inMemory(raised)), inMemory(Fp12.sqr(raised)));
}

function toBytes(element) {
  const bytes = new Uint8Array(element.length * elementBytes);
  for (const [half, value] of element.entries())
    for (let i = 0, rest = value; i < elementBytes; i++, rest >>= 8n)
      bytes[half * elementBytes + i] = Number(rest & 255n);
  return bytes;
}

function fromBytes(bytes) {
  const halves = [];
  for (let at = 0; at < bytes.length; at += elementBytes)
    halves.push(bytes.subarray(at, at + elementBytes).reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n));
  return halves;
}

/** Returns the kernel's result. */
export const kernelAnswer = (name, a, b) => fromBytes(field(name, toBytes(a), toBytes(b)));

/** Returns values of Fp at the ends of the range, and with a digit, a limb or a word at its limit. */
function edges() {
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
  // The arithmetic uses the digits of 8a.
  return [...new Set(values.flatMap((value) => [value, value >> 3n, p - (value % p)]).map(modP))];
}

export const limits = edges();

/** Compares every operation with big integers for random elements, some at limits. `draw` draws 32 bits. */
export function fieldCheck(draw) {
  const coordinate = () => {
    if (draw() % 2 === 0) return limits[draw() % limits.length];
    let value = 0n;
    for (let i = 0; i < 13; i++) value = (value << 32n) | BigInt(draw());
    return value % p;
  };
  const pair = (length) => [Array.from({ length }, coordinate), Array.from({ length }, coordinate)];
  const [a, b] = pair(1 + (draw() % 2));
  // An inverse of big integers takes about 1 ms, so only one pair in 16 includes it.
  const withInverse = draw() % 16 === 0;
  for (const { name, expected } of operations)
    if (name !== 'inverse' || withInverse)
      assert.deepEqual(kernelAnswer(name, a, b), expected(a, b), `${name}(${a}; ${b})`);
  if (draw() % 8 !== 0) return;
  const [x, y] = pair(coordinateCount);
  const { name, expected } = towerOperations[draw() % towerOperations.length];
  assert.deepEqual(kernelAnswer(name, x, y), expected(x, y), `${name}(${x}; ${y})`);
}

/** Compares every operation of Fp12 with big integers for coordinates at one limit and at different ones. */
export function towerEdgesCheck() {
  for (const i of limits.keys())
    for (const step of [0, 1, 7]) {
      const coordinates = (from) =>
        Array.from({ length: coordinateCount }, (_, j) => limits[(from + j * step) % limits.length]);
      const [a, b] = [coordinates(i), coordinates(i + 3 * step)];
      for (const { name, expected } of towerOperations)
        assert.deepEqual(kernelAnswer(name, a, b), expected(a, b), `${name}(${a}; ${b})`);
    }
}
