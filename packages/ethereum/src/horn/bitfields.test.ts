import { RandomStream } from '@tutti/core';
import { type BitfieldCoding, bitAt, runLengthCoding, sparseCoding } from '@tutti/core/horn';
import { describe, expect, it } from 'vitest';
import {
  changeBytes,
  codedBytes,
  entropyBytes,
  hostileBitfields,
  meanCodedBytes,
  paysFromPercent,
  randomBitfield,
  sentBytes,
} from './bitfields.ts';

describe('coding relative to the previous slot', () => {
  const changed = (stay: number, slots = 8) =>
    changeBytes(sparseCoding, { bits: 4096, percent: 95, stay, slots, seed: 1 });

  it('saves many bytes if the same validators are absent in consecutive slots', () => {
    const { alone, changes } = changed(0.99);
    expect(changes).toBeLessThan(alone / 4);
  });

  it('costs bytes if absence is independent: twice as many bits differ as are missing', () => {
    const { alone, changes, lesser } = changed(0.05);
    expect(changes).toBeGreaterThan(1.4 * alone);
    expect(lesser).toBeLessThanOrEqual(alone);
  });

  it('needs enough voters for as many to leave as return', () => {
    const sample = { bits: 4096, percent: 48, stay: 0.05, slots: 8, seed: 1 };
    expect(() => changeBytes(sparseCoding, sample)).toThrow(/^percent: expected a number from 48.7/);
  });

  it('preserves participation', () => {
    expect(Math.abs(changed(0.9, 64).alone / changed(0.9, 4).alone - 1)).toBeLessThan(0.1);
  });
});

function ones(bitfield: Uint8Array): number {
  let count = 0;
  for (let index = 0; index < 8 * bitfield.length; index++) count += bitAt(bitfield, index);
  return count;
}

it('random bitfields have exactly the requested number of ones', () => {
  const random = new RandomStream(1, 'sample');
  const wantedOf = { 1: [0, 1], 2: [0, 1, 2], 13: [0, 5, 12, 13], 1000: [0, 1, 448, 999, 1000] };
  for (const [bits, all] of Object.entries(wantedOf)) {
    for (const wanted of all) expect(ones(randomBitfield(Number(bits), wanted, random))).toBe(wanted);
  }
});

it('hostile bitfields have the votes of their names', () => {
  const counts = hostileBitfields.map(({ make }) => ones(make(3200, new RandomStream(1, 'hostile'))));
  expect(counts).toEqual([1600, 1600, 2800, 3000, 3040, 3100]);
});

it('detects a code that decodes to something else, even in one byte', () => {
  const bitfield = Uint8Array.of(1, 2, 3);
  const broken = (decoded: Uint8Array | undefined) =>
    codedBytes({ name: 'broken', encode: () => bitfield, decode: () => decoded } as never, bitfield, 24);
  expect(broken(bitfield)).toBe(3);
  for (const other of [undefined, Uint8Array.of(1, 2), Uint8Array.of(1, 2, 4), Uint8Array.of(9, 9, 9)])
    expect(() => broken(other)).toThrow('broken: a bitfield of 24 bits does not decode to itself');
});

describe("Horn, 'Bandwidth overhead'", () => {
  it('a sender that compares lengths sends at most one byte more than the bitfield, for any coding', () => {
    expect([300, 4096, 32_769].map((bytes) => sentBytes(bytes, 32_768))).toEqual([301, 4097, 4097]);
  });

  it('entropy is one bit per bit at one half, and zero at both ends', () => {
    expect([0, 400, 800].map((ones) => entropyBytes(800, ones))).toEqual([0, 100, 0]);
    expect(entropyBytes(32_768, 32_440)).toBeCloseTo(331.3, 0);
  });

  it.each([90, 95, 99])('no coding of random bitfields beats entropy, at %i %; sparse is within 4 %', (percent) => {
    const entropy = entropyBytes(32_768, Math.round(327.68 * percent));
    expect(meanCodedBytes(runLengthCoding, 32_768, percent, 1)).toBeGreaterThan(entropy);
    const sparse = meanCodedBytes(sparseCoding, 32_768, percent, 1);
    // The entropy assumes independent votes. With a fixed number of votes, the entropy is a few bits lower.
    expect(sparse).toBeGreaterThan(entropy - 2);
    expect(sparse).toBeLessThan(1.04 * entropy);
  });

  it('coding is worthwhile from the participation at which its mean is shorter than the bitfield', () => {
    for (const coding of [runLengthCoding, sparseCoding]) {
      const from = paysFromPercent(coding, 4096, 3)!;
      expect(meanCodedBytes(coding, 4096, from, 3)).toBeLessThan(512);
      expect(meanCodedBytes(coding, 4096, from - 1, 3)).toBeGreaterThanOrEqual(512);
    }
  });

  it('a coding that only adds bytes is never worthwhile', () => {
    const padding: BitfieldCoding = {
      name: 'padding',
      encode: (bitfield) => Uint8Array.of(...bitfield, 0),
      decode: (code) => code.subarray(0, -1),
      worstBytes: (bits) => bits / 8 + 1,
    };
    expect(paysFromPercent(padding, 64, 1)).toBeUndefined();
  });
});
