import { concatBytes as join } from '@noble/hashes/utils.js';
import type { RandomStream } from '@tutti/core';

/** Byte values at which decoders often have special cases. */
const turning = [0, 1, 2, 0x0f, 0x10, 0x7f, 0x80, 0xfe, 0xff];
const longestNoiseBytes = 2000;

type ByteMutation = (random: RandomStream, bytes: Uint8Array, other: Uint8Array) => Uint8Array;

const byteMutations: Readonly<Record<string, ByteMutation>> = {
  flipBit: (random, bytes) => withByte(random, bytes, (byte) => byte ^ (1 << random.nextBelow(8))),
  setByte: (random, bytes) => withByte(random, bytes, () => pick(random, turning)),
  anyByte: (random, bytes) => withByte(random, bytes, () => random.nextBelow(256)),
  setNumber(random, bytes) {
    const copy = bytes.slice();
    const width = pick(random, [2, 4, 8]);
    const at = random.nextBelow(bytes.length + 1);
    copy.fill(pick(random, turning), at, at + width);
    return copy;
  },
  truncate: (random, bytes) => bytes.slice(0, random.nextBelow(bytes.length + 1)),
  extend: (random, bytes) => join(bytes, noise(random, 1 + random.nextBelow(64))),
  cutOut(random, bytes) {
    const [start, end] = range(random, bytes.length);
    return join(bytes.subarray(0, start), bytes.subarray(end));
  },
  repeat(random, bytes) {
    const [start, end] = range(random, bytes.length);
    return join(bytes.subarray(0, end), bytes.subarray(start));
  },
  splice: (random, bytes, other) =>
    join(bytes.subarray(0, random.nextBelow(bytes.length + 1)), other.subarray(random.nextBelow(other.length + 1))),
};
const changes = Object.values(byteMutations);

/** Returns a valid input with up to four changes, moves, removals or additions of bytes, or random bytes. */
export function mutatedBytes(random: RandomStream, valid: readonly Uint8Array[]): Uint8Array {
  if (random.nextBelow(16) === 0) return noise(random, random.nextBelow(longestNoiseBytes));
  let bytes: Uint8Array = pick(random, valid).slice();
  for (let count = random.nextBelow(5); count > 0; count--)
    bytes = pick(random, changes)(random, bytes, pick(random, valid));
  return bytes;
}

/** Returns a valid text with up to four changes, moves, removals or additions of bytes, or random text. */
export function mutatedUtf8(random: RandomStream, valid: readonly string[]): string {
  return new TextDecoder().decode(
    mutatedBytes(
      random,
      valid.map((text) => new TextEncoder().encode(text)),
    ),
  );
}

/** Values that the reader of a JSON document may not expect. */
const odd: readonly unknown[] = [
  ...[null, true, false],
  ...[0, -1, 1, 0.5, 1e-320, 1e308, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 53)],
  ...['', 'é', '\u0000', '\ud800', '__proto__', 'x'.repeat(5000)],
  ...[[], {}, [[]], [null], { length: 7 }, { toString: 7 }],
];

/** Text with special meaning for a JSON parser. The text replaces a part of a document. */
const oddText = [
  ...['1e999', '-0', '"__proto__":{"nodes":1},'],
  ...['[[[[', '}', '"', '\\u0000', ',', '\u2028', '[['.repeat(500)],
];

/** Returns the JSON of a valid value. Some parts may be invalid, and some results are not JSON. */
export function mutatedJson(random: RandomStream, valid: readonly unknown[]): string {
  const value = structuredClone(pick(random, valid));
  const holder = { value };
  for (let count = random.nextBelow(4); count > 0; count--) mutateBelow(random, holder, valid);
  const text = JSON.stringify(holder.value) ?? 'undefined';
  if (random.nextBelow(4) > 0) return text;
  const at = random.nextBelow(text.length + 1);
  const end = at + random.nextBelow(8);
  if (random.nextBelow(2) === 0) return text.slice(0, at) + pick(random, oddText) + text.slice(end);
  return mutatedUtf8(random, [text]);
}

/** Changes a random part of the value, which is found by a descent from `holder`. Deeper parts are less likely. */
function mutateBelow(random: RandomStream, holder: object, valid: readonly unknown[]): void {
  let parent = holder as Record<string, unknown>;
  let keys = Object.keys(parent);
  for (;;) {
    const key = pick(random, keys);
    const child = parent[key];
    const below = typeof child === 'object' && child !== null ? Object.keys(child) : [];
    if (below.length > 0 && (parent === holder || random.nextBelow(3) > 0)) {
      parent = child as Record<string, unknown>;
      keys = below;
      continue;
    }
    const otherKey = pick(random, [...keys, '0', 'length', 'constructor', 'nobody']);
    const replaced = () => structuredClone(pick(random, random.nextBelow(4) === 0 ? valid : odd));
    const what = random.nextBelow(5);
    if (what === 0 && !Array.isArray(parent) && parent !== holder) delete parent[key];
    else if (what === 1 && !(Array.isArray(parent) && otherKey === 'length')) parent[otherKey] = structuredClone(child);
    else if (what === 2 && typeof child === 'string') parent[key] = mutatedText(random, child);
    else if (what === 2 && typeof child === 'number')
      parent[key] = child * pick(random, [-1, 0.5, 2, 1e6]) + random.nextBelow(3);
    else parent[key] = replaced();
    return;
  }
}

function mutatedText(random: RandomStream, text: string): string {
  const at = random.nextBelow(text.length + 1);
  return (
    text.slice(0, at) +
    pick(random, ['', 'g', 'G', '0', '\n', '\u{1f600}', text]) +
    text.slice(at + random.nextBelow(3))
  );
}

export function pick<T>(random: RandomStream, list: readonly T[]): T {
  return list[random.nextBelow(list.length)]!;
}

function noise(random: RandomStream, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.nextBelow(256));
}

function withByte(random: RandomStream, bytes: Uint8Array, change: (byte: number) => number): Uint8Array {
  const copy = bytes.slice();
  const at = random.nextBelow(Math.max(1, bytes.length));
  if (at < bytes.length) copy[at] = change(copy[at]!);
  return copy;
}

function range(random: RandomStream, length: number): [start: number, end: number] {
  const start = random.nextBelow(length + 1);
  return [start, Math.min(length, start + random.nextBelow(32))];
}
