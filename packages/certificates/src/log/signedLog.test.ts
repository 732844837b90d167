import { describe, expect, it } from 'vitest';
import { maxHeights, memorySignedLog, SignedHeights } from './signedLog.ts';

const messageOf = (height: number): Uint8Array => new Uint8Array(32).fill(height & 255).fill(height >> 8, 8, 9);
const other = new Uint8Array(32).fill(99);

describe('signed heights', () => {
  it('a log stores a limited number of heights, and signs nothing at or below a removed height', () => {
    const heights = new SignedHeights();
    const sign = (height: number, message = messageOf(height)): boolean => {
      const statement = { height: BigInt(height), message };
      if (!heights.isNew(statement)) return false;
      heights.add(statement.height, Buffer.from(message).toString('hex'));
      return true;
    };
    const last = 200_000;
    // Heights with some steps forward and one step back, as in concurrent rounds.
    let refused = 0;
    let most = 0;
    for (let height = 1; height <= last; height++) {
      if (!sign(height ^ 1)) refused++;
      most = Math.max(most, heights.size);
    }
    expect([refused, most]).toEqual([0, maxHeights]);
    const remembered = [...heights.entries];
    expect(remembered.length).toBeGreaterThan(32_000);
    const watermark = heights.watermark!;
    expect(remembered.every(([height]) => height > watermark)).toBe(true);
    // Every height already has a signed message, so no other message is accepted.
    for (let height = 2; height < last; height += 997)
      expect(() => sign(height, other)).toThrow(`height ${height}: expected`);
    expect(sign(last - 1)).toBe(false);
    expect(sign(last + 5)).toBe(true);
  });

  it('a log refuses to sign at or below the watermark, and signs above the watermark', () => {
    const heights = new SignedHeights();
    heights.raise(100n);
    for (const height of [0n, 99n, 100n])
      expect(() => heights.isNew({ height, message: other })).toThrow(
        expect.objectContaining({
          code: 'already-signed',
          message: `height ${height}: expected one over 100, up to which something else may have been signed`,
        }),
      );
    expect(heights.isNew({ height: 101n, message: other })).toBe(true);
  });

  it.each([
    ['a number, which would not be the height that a file gives', { height: 5 as never, message: other }, 'bigint'],
    ['a negative height', { height: -1n, message: other }, '2^64 - 1, got -1'],
    ['a height of 65 bits', { height: 2n ** 64n, message: other }, '2^64 - 1, got 18446744073709551616'],
    ['a hash of 31 bytes', { height: 1n, message: new Uint8Array(31) }, '32 bytes, got 31'],
    ['a hash of 33 bytes without a height', { height: undefined, message: new Uint8Array(33) }, '32 bytes, got 33'],
    ['a hash as text', { height: 1n, message: 'ab'.repeat(32) as never }, 'Uint8Array'],
  ])('refuse %s', (_, statement, expected) => {
    expect(() => new SignedHeights().isNew(statement)).toThrow(expected);
    expect(() => memorySignedLog().record(statement)).toThrow(expected);
  });
});

it('a log in memory signs a height once, and any number of messages without one', () => {
  const log = memorySignedLog();
  log.record({ height: 1n, message: messageOf(1) });
  log.record({ height: 1n, message: messageOf(1) });
  expect(() => log.record({ height: 1n, message: other })).toThrow('a height is signed once');
  log.record({ height: undefined, message: messageOf(1) });
  log.record({ height: undefined, message: other });
  log.close();
});
