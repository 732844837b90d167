import { expand, extract } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex } from '@tutti/core/input';
import { joinBytes } from '@tutti/wasm-bls/kernel';
import type { PixelCurve } from './curve.ts';

/** Modulus p of BLS12-381's base field. */
const modulus = 0x1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaabn;

const coordinateBytes = 48;
/** Number of bytes drawn per coordinate, enough to make the bias of the reduction modulo p negligible. */
const drawnBytes = 64;

const utf8 = new TextEncoder();

/** An element of Fp2: real and imaginary part, both reduced modulo p. */
type Fp2 = readonly [re: bigint, im: bigint];

const mod = (value: bigint): bigint => {
  const rest = value % modulus;
  return rest < 0n ? rest + modulus : rest;
};
const add = (a: Fp2, b: Fp2): Fp2 => [mod(a[0] + b[0]), mod(a[1] + b[1])];
const negate = (a: Fp2): Fp2 => [mod(-a[0]), mod(-a[1])];
const multiply = (a: Fp2, b: Fp2): Fp2 => [mod(a[0] * b[0] - a[1] * b[1]), mod(a[0] * b[1] + a[1] * b[0])];
const norm = (a: Fp2): bigint => mod(a[0] * a[0] + a[1] * a[1]);
const isZero = (a: Fp2): boolean => a[0] === 0n && a[1] === 0n;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let rest = exponent, square = base; rest > 0n; rest >>= 1n, square = (square * square) % modulus)
    if (rest & 1n) result = (result * square) % modulus;
  return result;
}

const inverseFp = (a: bigint): bigint => power(a, modulus - 2n);
/** Returns the square root of a square in the base field, using p = 3 mod 4. */
const rootFp = (a: bigint): bigint => power(a, (modulus + 1n) / 4n);

function inverse(a: Fp2): Fp2 {
  const scale = inverseFp(norm(a));
  return [mod(a[0] * scale), mod(-a[1] * scale)];
}

/** Inverse of 2 in the base field. */
const half = (modulus + 1n) / 2n;

/** Returns one square root of an element; undefined if the element is not a square. */
function squareRoot(a: Fp2): Fp2 | undefined {
  const length = rootFp(norm(a));
  if (mod(length * length) !== norm(a)) return undefined;
  for (const sign of [length, -length]) {
    const square = mod((a[0] + sign) * half);
    const re = rootFp(square);
    if (re !== 0n && mod(re * re) === square) return [re, mod(a[1] * half * inverseFp(re))];
  }
  // A real number that is not a square in the base field is the square of an imaginary number.
  const im = rootFp(mod(-a[0]));
  return [0n, im];
}

/**
 * Target curve of the simplified SWU map before the isogeny, y^2 = x^3 + A x + B (RFC 9380, section 8.8.2), and the
 * map's constant Z.
 */
const A: Fp2 = [0n, 240n];
const B: Fp2 = [1012n, 1012n];
const Z: Fp2 = [mod(-2n), mod(-1n)];

/** Returns the y coordinate of one of the two candidates of the simplified SWU map (RFC 9380, section 6.6.2). */
function swuY(u: Fp2): Fp2 {
  const zu2 = multiply(Z, multiply(u, u));
  const t = add(multiply(zu2, zu2), zu2);
  const x1 = isZero(t)
    ? multiply(B, inverse(multiply(Z, A)))
    : multiply(multiply(negate(B), inverse(A)), add([1n, 0n], inverse(t)));
  const ySquare = (x: Fp2): Fp2 => add(multiply(add(multiply(x, x), A), x), B);
  return squareRoot(ySquare(x1)) ?? squareRoot(ySquare(multiply(zu2, x1)))!;
}

/** Returns sgn0 of RFC 9380, section 4.1: the parity of the first non-zero part. */
const parity = ([re, im]: Fp2): boolean => ((re === 0n ? im : re) & 1n) === 1n;

/** Returns sgn0 of the early draft: whether the element is larger than its negative, by its last non-zero part. */
const isLarger = ([re, im]: Fp2): boolean => 2n * (im === 0n ? re : im) > modulus;

/**
 * Returns u or -u, so that the map of RFC 9380 gives the point that the early draft's map gives for u. The two maps
 * differ only in the sign of y, which follows the sign of u.
 */
function forRfc9380(u: Fp2): Fp2 {
  const y = swuY(u);
  return (parity(y) === parity(u)) === (isLarger(y) === isLarger(u)) ? u : negate(u);
}

const fpBytes = (value: bigint): Uint8Array => fromHex(value.toString(16).padStart(2 * coordinateBytes, '0'))!;

const numberOf = (bytes: Uint8Array): bigint => bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);

/**
 * Computes the early draft's hash_to_curve, which the authors' implementation uses. The draft's hash_to_base is
 * HKDF-SHA256, with the ciphersuite byte as salt. In the draft, the sign of a field element depends on the element's
 * size, not on its parity. All other steps are the same as in RFC 9380.
 */
export function earlyHashToG2(curve: PixelCurve, message: Uint8Array, suiteByte: number): Uint8Array {
  const key = extract(sha256, joinBytes([message, Uint8Array.of(0)]), Uint8Array.of(suiteByte));
  const part = (element: number, which: number): bigint => {
    const info = joinBytes([utf8.encode('H2C'), Uint8Array.of(element, which + 1)]);
    return mod(numberOf(expand(sha256, key, info, drawnBytes)));
  };
  const elements = [0, 1].flatMap((element) => forRfc9380([part(element, 0), part(element, 1)]));
  return curve.mapToG2(joinBytes(elements.map(fpBytes)));
}
