import { describe, expect, it } from 'vitest';
import { formatRegistry, parseRegistry } from './registryFile.ts';
import { sharedKeys } from './verifyRegistry.ts';

const entry = (index: number, weight?: unknown) => ({
  publicKey: `8${index}`.padEnd(96, '0'),
  proofOfPossession: '0'.repeat(192),
  networkKey: `${index}`.padStart(64, '0'),
  networkKeyProof: '0'.repeat(192),
  address: { transport: 'udp', host: '127.0.0.1', port: 9000 + index },
  ...(weight === undefined ? {} : { weight }),
});
const textOf = (...weights: unknown[]) =>
  JSON.stringify({ version: 2, scheme: 'bls', entries: weights.map((weight, index) => entry(index + 1, weight)) });

describe('weights of a registry', () => {
  it('are read and written as decimal texts, also beyond the range of numbers', () => {
    const read = parseRegistry(textOf('9007199254740993', '1'));
    expect(read.map(({ weight }) => weight)).toEqual([9007199254740993n, 1n]);
    expect(parseRegistry(formatRegistry(read))).toEqual(read);
  });

  it.each([
    [['0', '1'], 'registry entry 0: weight: expected a positive integer as a text of decimal digits, got "0"'],
    [[5, '1'], 'registry entry 0: weight: expected a positive integer'],
    [['1', undefined], 'entries[1].weight: expected a weight (because other entries have weights)'],
    [['9223372036854775807', '1'], 'expected a sum under 2^63'],
  ])('refuses %o', (weights, message) => {
    expect(() => parseRegistry(textOf(...weights))).toThrow(message);
  });

  it('are refused for a key and its negative', () => {
    const publicKey = new Uint8Array(48).fill(0x8f);
    const negative = publicKey.slice();
    negative[0]! ^= 0x20;
    const keys = [publicKey, negative].map((one, index) => ({
      publicKey: one,
      networkKey: new Uint8Array(32).fill(index + 1),
    }));
    expect(sharedKeys(keys)).toMatchObject([{ index: 1, earlier: 0, what: 'publicKey' }]);
  });
});
