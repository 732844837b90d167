import { expect, it } from 'vitest';
import { SignedHeights } from './signedLog.ts';

const messageOf = (height: number): Uint8Array => Uint8Array.of(height & 255, (height >> 8) & 255, height >> 16);

it('remembers so many heights and no more, and signs nothing at or below those that it forgot', () => {
  const heights = new SignedHeights();
  const sign = (height: number, message = messageOf(height)): boolean => {
    const statement = { height: BigInt(height), message };
    if (!heights.isNew(statement)) return false;
    heights.add(statement.height, Buffer.from(message).toString('hex'));
    return true;
  };
  const last = 200_000;
  // Some steps forward and one back, as rounds side by side have it.
  let refused = 0;
  for (let height = 1; height <= last; height++) if (!sign(height ^ 1)) refused++;
  expect(refused).toBe(0);
  const remembered = [...heights.entries];
  expect(remembered.length).toBeLessThanOrEqual(65_536);
  expect(remembered.length).toBeGreaterThan(32_000);
  const { lowest } = heights;
  expect(remembered.every(([height]) => height > lowest!)).toBe(true);
  // Every height was signed: none is taken with another message.
  for (let height = 2; height < last; height += 997)
    expect(() => sign(height, Uint8Array.of(1))).toThrow(`height ${height}: expected`);
  expect(sign(last - 1)).toBe(false);
  expect(sign(last + 5)).toBe(true);
});
