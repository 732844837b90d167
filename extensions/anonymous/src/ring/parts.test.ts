import { expect, it } from 'vitest';
import { Point, scalarBytes } from './group.ts';
import { bytesOfParts, readParts } from './parts.ts';

const scalars = [7n, 8n, 9n];
const element = Point.BASE.toBytes();

function laidOut(before: number): Uint8Array {
  const parts = [...scalars.slice(0, before).map(scalarBytes), element, ...scalars.slice(before).map(scalarBytes)];
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

it('decodes the scalars in their order, and the element between them', () => {
  for (const before of [0, 1, 3]) {
    const bytes = laidOut(before);
    expect(bytes).toHaveLength(bytesOfParts(3));
    expect(readParts(bytes, 3, before)).toMatchObject({ scalars, elementBytes: element });
  }
});

it('names the error: a length, a scalar that is not under the group order, or an invalid element', () => {
  const changed = (at: number, byte: number) => laidOut(1).fill(byte, at, at + 32);
  expect(readParts(laidOut(1).slice(1), 3, 1)).toBe('length');
  for (const at of [0, 64, 96]) expect(readParts(changed(at, 0xff), 3, 1)).toBe('scalar');
  expect(readParts(changed(32, 0xff), 3, 1)).toBe('element');
  // Zero bytes encode the identity, which is not allowed in a signature.
  expect(readParts(changed(32, 0), 3, 1)).toBe('element');
});
