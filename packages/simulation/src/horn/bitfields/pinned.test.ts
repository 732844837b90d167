import { RandomStream } from '@tutti/core';
import { runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { expect, it } from 'vitest';
import { digestOf, drawn } from '../../../../../tests/digests.ts';
import { changeBytes } from './changes.ts';
import { codedBytes, entropyBytes, meanCodedBytes, paysFromPercent, sentBytes } from './compression.ts';
import { hostileBitfields, randomBitfield } from './samples.ts';

it('bitfields, and what codings make of them, are what they were', () => {
  const pins = drawn(60, (draw, seed) => {
    const bits = draw.integer(2, 200);
    const ones = draw.integer(0, bits);
    const random = new RandomStream(seed, 'pinned');
    const coding = draw.one([runLengthCoding, sparseCoding]);
    const field = randomBitfield(bits, ones, random);
    const percent = draw.integer(50, 100);
    return [
      [field, hostileBitfields.map(({ name, make }) => [name, make(bits, random)])],
      [codedBytes(coding, field, bits), sentBytes(draw.integer(0, 40), bits), entropyBytes(bits, ones)],
      [meanCodedBytes(coding, bits, percent, seed), meanCodedBytes(coding, bits, percent, seed, 2)],
      changeBytes(coding, bits, percent, draw.number(0.5, 0.99), draw.integer(2, 9), seed),
    ];
  });
  const pays = [100, 400].map((bits) =>
    [runLengthCoding, sparseCoding].map((coding) => paysFromPercent(coding, bits, 1)),
  );
  expect([digestOf(pins), pays]).toMatchInlineSnapshot(`
    [
      "927263bd3fd7",
      [
        [
          94,
          74,
        ],
        [
          94,
          67,
        ],
      ],
    ]
  `);
});

it('a code that decodes to something else, be it in one byte, is told', () => {
  const bitfield = Uint8Array.of(1, 2, 3);
  const broken = (decoded: Uint8Array | undefined) =>
    codedBytes({ name: 'broken', encode: () => bitfield, decode: () => decoded } as never, bitfield, 24);
  expect(broken(bitfield)).toBe(3);
  for (const other of [undefined, Uint8Array.of(1, 2), Uint8Array.of(1, 2, 4), Uint8Array.of(9, 9, 9)])
    expect(() => broken(other)).toThrow('broken: a bitfield of 24 bits does not decode to itself');
});
