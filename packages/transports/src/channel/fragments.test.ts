import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Counts } from '../refusals.ts';
import { Reassembly, splitMessage } from './fragments.ts';

const maxMessageBytes = 400;

function reassembly() {
  const refused = new Counts();
  const pieces = new Reassembly({ maxMessageBytes, onRefused: (code) => refused.add(code) });
  return { take: pieces.take.bind(pieces), pieces, refused: () => refused.toRecord() };
}

/** Returns bytes that differ from each other. Different start values distinguish messages. */
const messageOf = (length: number, start = 0) => Uint8Array.from({ length }, (_, i) => start + i);

// By default, fast-check draws at most ten bytes, which are never split.
const anyMessage = fc.uint8Array({ maxLength: maxMessageBytes });
const anyLimit = fc.integer({ min: 10, max: 200 });

describe('splitMessage', () => {
  it('returns one payload, one byte longer than the message, if the message fits', () => {
    expect(splitMessage(messageOf(99), 100, 7)).toEqual([Uint8Array.of(0, ...messageOf(99))]);
    expect(splitMessage(messageOf(100), 100, 7)).toHaveLength(2);
    expect(splitMessage(new Uint8Array(0), 100, 7)).toEqual([Uint8Array.of(0)]);
  });

  it('writes a piece as marker, number, index, count and bytes', () => {
    expect(splitMessage(messageOf(12), 19, 0x01020304)).toEqual([Uint8Array.of(0, ...messageOf(12))]);
    expect(splitMessage(messageOf(12), 12, 0x01020304)).toEqual([
      Uint8Array.of(1, 1, 2, 3, 4, 0, 0, 0, 4, 0, 1, 2),
      Uint8Array.of(1, 1, 2, 3, 4, 0, 1, 0, 4, 3, 4, 5),
      Uint8Array.of(1, 1, 2, 3, 4, 0, 2, 0, 4, 6, 7, 8),
      Uint8Array.of(1, 1, 2, 3, 4, 0, 3, 0, 4, 9, 10, 11),
    ]);
  });

  it('writes message numbers in four bytes and refuses larger numbers', () => {
    const [piece] = splitMessage(messageOf(12), 12, 2 ** 32 - 1);
    expect([...piece!.subarray(1, 5)]).toEqual([255, 255, 255, 255]);
    for (const number of [2 ** 32, -1, 0.5, Number.NaN])
      expect(() => splitMessage(messageOf(12), 12, number)).toThrow(
        new RangeError(`number: expected an integer from 0 to 4294967295, got ${number}`),
      );
  });

  it('refuses a message that does not fit, with the limit in the error', () => {
    expect(() => splitMessage(new Uint8Array(70_000), 10, 0)).toThrow(
      new RangeError('message: expected at most 65535 bytes in payloads of 10, got 70000'),
    );
    expect(splitMessage(new Uint8Array(65_535), 10, 0)).toHaveLength(65_535);
    expect(() => splitMessage(new Uint8Array(10), 9, 0)).toThrow(RangeError);
  });
});

describe('Reassembly', () => {
  it('reassembles messages from interleaved, duplicated and reordered pieces', () => {
    const sent = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), anyMessage, anyLimit), { maxLength: 6 });
    fc.assert(
      fc.property(sent, fc.infiniteStream(fc.nat()), (messages, choices) => {
        const { take, refused } = reassembly();
        const underWay = messages.flatMap(([from, message, limit], number) =>
          splitMessage(message, limit, number).flatMap((payload) => {
            expect(payload.length).toBeLessThanOrEqual(limit);
            const copies = payload[0] === 1 && choices.next().value % 4 === 0 ? 2 : 1;
            return Array.from({ length: copies }, () => ({ from, payload }));
          }),
        );
        const doubled = underWay.length - new Set(underWay.map(({ payload }) => payload)).size;
        const arrived: string[] = [];
        while (underWay.length > 0) {
          const [{ from, payload }] = underWay.splice(choices.next().value % underWay.length, 1) as [
            (typeof underWay)[0],
          ];
          const message = take(from, payload);
          if (message !== undefined) arrived.push(`${from} ${message.join()}`);
        }
        const given = messages.map(([from, message]) => `${from} ${message.join()}`);
        // At most six messages are in transit, so none is dropped because of the limit on the number of messages. For
        // tiny pieces the limit on bytes may be exceeded.
        if (refused()['incomplete-message'] === undefined) {
          expect(arrived.sort()).toEqual(given.sort());
          expect(refused()).toEqual(doubled === 0 ? {} : { 'duplicate-piece': doubled });
        } else for (const message of arrived) expect(given).toContain(message);
      }),
      { numRuns: 300 },
    );
  });

  it('returns only complete sent messages if pieces are lost, within its memory limit', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyMessage, anyLimit)), fc.infiniteStream(fc.boolean()), (messages, lost) => {
        const { take, pieces } = reassembly();
        for (const [number, [message, limit]] of messages.entries())
          for (const payload of splitMessage(message, limit, number)) {
            if (lost.next().value) continue;
            const whole = take(3, payload);
            if (whole !== undefined) expect(whole).toEqual(message);
            expect(pieces.heldBytes(3)).toBeLessThanOrEqual(pieces.maxHeldBytes);
          }
      }),
      { numRuns: 200 },
    );
  });

  it('stores a copy of each piece', () => {
    const { take } = reassembly();
    const [first, second] = splitMessage(messageOf(30), 25, 1);
    take(0, first!);
    first!.fill(0xff);
    expect(take(0, second!)).toEqual(messageOf(30));
  });

  it('drops the oldest unfinished message when a ninth one starts, and counts it', () => {
    const { take, refused } = reassembly();
    const split = Array.from({ length: 9 }, (_, number) => splitMessage(messageOf(30, number), 25, number));
    for (const [first] of split) take(0, first!);
    expect(refused()).toEqual({ 'incomplete-message': 1 });
    expect(split.slice(1).map(([, second]) => take(0, second!)?.[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('drops the oldest message when the memory limit is reached, and counts it', () => {
    const { take, pieces, refused } = reassembly();
    const longest = Array.from({ length: 6 }, (_, number) => splitMessage(messageOf(400), 399, number));
    for (const [first] of longest) take(0, first!);
    expect(refused()).toEqual({ 'incomplete-message': 2 });
    expect(pieces.heldBytes(0)).toBeLessThanOrEqual(pieces.maxHeldBytes);
    expect(take(0, longest[5]![1]!)).toEqual(messageOf(400));
  });

  it('counts 64 bytes of overhead per stored piece, and nothing for returned messages', () => {
    const { take, pieces } = reassembly();
    expect([pieces.heldBytes(0), pieces.maxHeldBytes]).toEqual([0, 4 * (400 + 64)]);
    const [first, second, third] = splitMessage(messageOf(40), 25, 1);
    take(0, first!);
    expect(pieces.heldBytes(0)).toBe(16 + 64);
    take(0, second!);
    expect(pieces.heldBytes(0)).toBe(32 + 2 * 64);
    take(0, third!);
    expect(pieces.heldBytes(0)).toBe(0);
  });

  it('stores exactly as many bytes as its limit', () => {
    const { take, pieces, refused } = reassembly();
    for (let number = 0; number < 8; number++)
      take(0, Uint8Array.of(1, 0, 0, 0, number, 0, 0, 0, 2, ...new Uint8Array(168)));
    expect([pieces.heldBytes(0), refused()]).toEqual([pieces.maxHeldBytes, {}]);
  });

  it('drops a message that exceeds the maximum length, and accepts its number again', () => {
    const { take, pieces, refused } = reassembly();
    const piece = (index: number, fill: number) =>
      Uint8Array.of(1, 0, 0, 0, 5, 0, index, 0, 2, ...new Uint8Array(250).fill(fill));
    expect([take(0, piece(0, 1)), take(0, piece(1, 2))]).toEqual([undefined, undefined]);
    expect(refused()).toEqual({ 'oversized-message': 1 });
    expect(pieces.heldBytes(0)).toBe(0);
    const [first, second] = splitMessage(messageOf(30), 25, 5);
    expect([take(0, first!), take(0, second!)]).toEqual([undefined, messageOf(30)]);
  });

  it('removes finished messages without counting them, and accepts their numbers again', () => {
    const { take, refused } = reassembly();
    for (let number = 0; number < 20; number++)
      for (const piece of splitMessage(messageOf(30, number), 25, number)) take(0, piece);
    expect(refused()).toEqual({});
    const [first, second] = splitMessage(messageOf(30, 77), 25, 0);
    expect([take(0, first!), take(0, second!)]).toEqual([undefined, messageOf(30, 77)]);
  });

  it('a peer that completes no message affects only its own messages', () => {
    const { take } = reassembly();
    const [first, second] = splitMessage(messageOf(30), 25, 1);
    take(0, first!);
    for (let number = 0; number < 100; number++) take(1, splitMessage(messageOf(400), 399, number)[0]!);
    expect(take(0, second!)).toEqual(messageOf(30));
  });

  const [first] = splitMessage(messageOf(30), 25, 1) as [Uint8Array, Uint8Array];
  it.each<[code: string, payloads: Uint8Array[]]>([
    ['unknown-framing', [new Uint8Array(0)]],
    ['unknown-framing', [Uint8Array.of(2, 1, 1)]],
    ['malformed-piece', [first.slice(0, 8)]],
    ['malformed-piece', [first.slice(0, 9)]],
    ['malformed-piece', [first.with(6, 2)]],
    ['malformed-piece', [first.with(8, 1)]],
    ['malformed-piece', [first.with(8, 0)]],
    ['oversized-message', [Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0xff, 0xff, 1)]],
    ['oversized-message', [Uint8Array.of(1, 0, 0, 0, 1, 0, 0, 0, 2, ...new Uint8Array(400))]],
    ['duplicate-piece', [first, first]],
    ['contradictory-piece', [first, first.with(9, 77)]],
    ['contradictory-piece', [first, first.with(8, 3)]],
  ])('refuses with %s (%#)', (code, payloads) => {
    const { take, refused } = reassembly();
    for (const payload of payloads) expect(take(0, payload)).toBeUndefined();
    expect(refused()).toEqual({ [code]: 1 });
  });
});
