import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPart, blockOf, contributionOf, forgeryOf, idsOfBlock, signersOf } from '../../test/sets.ts';
import { anySize } from '../../test/sizes.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { branchings, peerSet, Tree } from '../overlay/tree.ts';
import { MessageFlag, noContribution } from '../protocol.ts';
import { type DecodedMessage, decodeMessage, encodeMessage, longestMessageBytes, messageBytes } from './message.ts';

const anyPair = fc
  .record({ nodes: anySize, a: fc.nat(), b: fc.nat() })
  .filter(({ nodes, a, b }) => a % nodes !== b % nodes)
  .map(({ nodes, a, b }) => {
    const [sender, receiver] = [a % nodes, b % nodes];
    const tree = new Tree(nodes);
    return { tree, sender, receiver, level: 32 - Math.clz32(tree.leaf(sender) ^ tree.leaf(receiver)) };
  });

const anyIndividual = fc.constantFrom('none', 'valid', 'forged');

function individualOf(scheme: CountingScheme, sender: number, kind: string): number {
  if (kind === 'none') return noContribution;
  return kind === 'forged' ? forgeryOf(scheme, scheme.tree.leaf(sender), [sender]) : scheme.individual(sender);
}

function expectRefused(scheme: CountingScheme, decoded: DecodedMessage, code: string): void {
  expect(decoded).toEqual({ ok: false, code });
  expect(scheme.held).toBe(0);
}

/** Encodes a message from node 9 to node 0 of 16, on level 4, whose peer set is 8 to 15. */
function message(signers: readonly number[] = [9, 12], individual = true) {
  const scheme = new CountingScheme(new Tree(16));
  const aggregate = contributionOf(scheme, scheme.tree.peerBlock(0, 4), signers);
  const bytes = encodeMessage(scheme, 4, aggregate, individual ? scheme.individual(9) : noContribution, 0);
  scheme.release(aggregate);
  return { scheme, bytes };
}

describe('a message on the wire', () => {
  it('v1.03 3.5: contains the level, the aggregate, the individual contribution and the flag, and decodes to the same', () => {
    fc.assert(
      fc.property(anyPair, anyPart, fc.boolean(), anyIndividual, fc.boolean(), (pair, part, forged, own, flag) => {
        const { tree, sender, receiver, level } = pair;
        const scheme = new CountingScheme(tree);
        const block = tree.ownBlock(sender, level);
        const signers = part(idsOfBlock(tree, block));
        if (signers.length === 0) return;
        const aggregate = (forged ? forgeryOf : contributionOf)(scheme, block, signers);
        const individual = individualOf(scheme, sender, own);
        const flags = flag ? MessageFlag.levelReceived : 0;
        const bytes = encodeMessage(scheme, level, aggregate, individual, flags);
        expect(bytes.length).toBe(messageBytes(scheme, aggregate, individual));

        const read = decodeMessage(scheme, receiver, sender, bytes);
        if (!read.ok) throw new Error(read.code);
        expect(read.level).toBe(level);
        expect(read.flags).toBe(flags);
        expect(scheme.block(read.aggregate)).toBe(tree.peerBlock(receiver, level));
        expect(signersOf(scheme, read.aggregate)).toEqual(signers);
        expect(scheme.verify(read.aggregate)).toBe(!forged);
        expect(signersOf(scheme, read.individual)).toEqual(own === 'none' ? [] : [sender]);
        expect(scheme.verify(read.individual)).toBe(own !== 'forged');
        expect(encodeMessage(scheme, read.level, read.aggregate, read.individual, read.flags)).toEqual(bytes);
        for (const held of [aggregate, individual, read.aggregate, read.individual]) scheme.release(held);
        expect(scheme.held).toBe(0);
      }),
      { numRuns: 300 },
    );
  });

  it('v1.03 6: is under 600 bytes for 4000 nodes, with two signatures of 96 bytes', () => {
    for (const [form, setBytes] of [
      ['spread', 250],
      ['packed', 256],
    ] as const) {
      const scheme = new CountingScheme(new Tree(4000, form));
      const aggregate = contributionOf(scheme, scheme.tree.ownBlock(0, 12), [0, 1]);
      expect(messageBytes(scheme, aggregate, scheme.individual(0))).toBe(3 + (1 + setBytes + 96) + (1 + 96));
    }
  });

  it('is never longer than the maximum', () => {
    for (const [nodes, branching] of [2, 3, 13, 16, 17, 4000].flatMap((n) => branchings.map((k) => [n, k] as const))) {
      const scheme = new CountingScheme(new Tree(nodes, 'spread', branching));
      const lengths: number[] = [];
      for (let id = 0; id < nodes; id += 1 + (nodes >> 5)) {
        for (let level = 1; level <= scheme.tree.levels; level++) {
          const aggregate = contributionOf(scheme, scheme.tree.ownBlock(id, level), [id]);
          lengths.push(messageBytes(scheme, aggregate, scheme.individual(id)));
          scheme.release(aggregate);
        }
      }
      const longest = longestMessageBytes(scheme.tree, 96);
      expect(Math.max(...lengths)).toBeLessThanOrEqual(longest);
      expect(Math.max(...lengths)).toBeGreaterThanOrEqual(nodes > branching ? longest : longest - 1);
    }
  });

  it('is not longer for a full set of any size', () => {
    const scheme = new CountingScheme(new Tree(4096));
    for (let level = 1; level <= 12; level++)
      expect(messageBytes(scheme, scheme.tree.ownBlock(5, level), noContribution)).toBe(100);
  });

  describe('is refused with the code', () => {
    const { bytes } = message();

    it.each<[code: string, wrong: readonly Uint8Array[]]>([
      ['truncated', Array.from(bytes.keys(), (length) => bytes.subarray(0, length))],
      ['truncated', [message([9], false).bytes.with(2, 0x80)]],
      ['trailing-bytes', [1, 8, 6000].map((extra) => Uint8Array.of(...bytes, ...new Uint8Array(extra)))],
      ['unknown-version', [...[0, 2, 255].map((one) => bytes.with(0, one)), bytes.subarray(0, 3).with(0, 2)]],
      ['unknown-flags', [2, 3, 4, 5, 6].map((bit) => bytes.with(2, bytes[2]! | (1 << bit)))],
      ['level-out-of-range', [0, 5, 20, 32, 255].map((level) => bytes.with(1, level))],
      // The form and set of the individual contribution follow the aggregate's 98 bytes.
      ['empty-set', [bytes.with(4, 0), individualListed(bytes, 0)]],
      ['bit-beyond-end', [0b10, 0b11, 0xff].map((set) => individualListed(bytes, set))],
      ['unknown-set-form', [2, 77, 255].flatMap((form) => [bytes.with(3, form), bytes.with(3 + 98, form)])],
    ])('%s', (code, wrong) => {
      const { scheme } = message();
      for (const one of wrong) expectRefused(scheme, decodeMessage(scheme, 0, 9, one), code);
    });

    it('level-out-of-range, with a single node', () => {
      const alone = new CountingScheme(new Tree(1));
      expectRefused(alone, decodeMessage(alone, 0, 0, bytes.with(1, 1)), 'level-out-of-range');
    });

    it('sender-not-in-peer-set, for senders of another level and unknown senders', () => {
      const { scheme, bytes } = message();
      for (const from of [0, 1, 7, 16, -1, 2 ** 31, Number.NaN])
        expectRefused(scheme, decodeMessage(scheme, 0, from, bytes), 'sender-not-in-peer-set');
    });

    it('bit-beyond-end', () => {
      // The level 4 peers of node 0 are 8 to 12.
      const scheme = new CountingScheme(new Tree(13, 'packed'));
      const aggregate = contributionOf(scheme, scheme.tree.peerBlock(0, 4), [9]);
      const bytes = encodeMessage(scheme, 4, aggregate, noContribution, 0);
      scheme.release(aggregate);
      const full = decodeMessage(scheme, 0, 9, bytes.with(4, 0b11111));
      if (!full.ok) throw new Error(full.code);
      scheme.release(full.aggregate);
      for (const bit of [5, 6, 7])
        expectRefused(scheme, decodeMessage(scheme, 0, 9, bytes.with(4, 1 << bit)), 'bit-beyond-end');
    });
  });

  it('attack on the Go reference: a bitset with a wrong inner length counts no signer more than once', () => {
    // The message does not state the bitset's length; another length shifts the fields and the total length.
    const { scheme, bytes } = message();
    const stretched = [1, 2, 3, 7].map((extra) => [...bytes].toSpliced(5, 0, ...new Uint8Array(extra).fill(0b10)));
    for (const other of [...stretched, [...bytes].toSpliced(4, 1)]) {
      expect(decodeMessage(scheme, 0, 9, Uint8Array.from(other)).ok).toBe(false);
      expect(scheme.held).toBe(0);
    }
  });

  it('attack on the Go reference: a datagram that states a length of 2^43 is refused like any other', () => {
    const { scheme, bytes } = message();
    // 2^43 as a 64-bit number in both byte orders and as a variable-length number, at every position.
    const lengths = [
      [0, 0, 8, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 0, 8, 0, 0],
      [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2],
      [0xfa, 0, 0, 8, 0, 0, 0, 0, 0],
    ];
    for (const length of lengths) {
      for (let at = 0; at + length.length <= bytes.length; at++) {
        const hostile = bytes.slice();
        hostile.set(length, at);
        const read = decodeMessage(scheme, 0, 9, hostile);
        if (read.ok) {
          expect(scheme.weight(read.aggregate)).toBeLessThanOrEqual(8);
          scheme.release(read.aggregate);
          scheme.release(read.individual);
        }
        expect(scheme.held).toBe(0);
      }
    }
  });

  it('never throws and never leaks after any change, extension or truncation', () => {
    const edit = fc.record({ what: fc.constantFrom('set', 'insert', 'delete'), at: fc.nat(), byte: fc.nat(255) });
    let accepted = 0;
    let refused = 0;
    fc.assert(
      fc.property(anyPair, anyPart, fc.boolean(), fc.array(edit, { maxLength: 3 }), (pair, part, alone, edits) => {
        const { tree, sender, receiver, level } = pair;
        const scheme = new CountingScheme(tree);
        const block = tree.ownBlock(sender, level);
        const aggregate = contributionOf(scheme, block, new Set([sender, ...part(idsOfBlock(tree, block))]));
        const individual = alone ? noContribution : scheme.individual(sender);
        const bytes = [...encodeMessage(scheme, level, aggregate, individual, 0)];
        scheme.release(aggregate);
        for (const { what, at, byte } of edits) {
          const place = at % bytes.length;
          if (what === 'set') bytes[place] = byte;
          else if (what === 'insert') bytes.splice(place, 0, byte);
          else bytes.splice(place, 1);
        }
        const held = scheme.held;
        const read = decodeMessage(scheme, receiver, sender, Uint8Array.from(bytes));
        if (read.ok) {
          accepted++;
          const { start, end } = peerSet(receiver, read.level, tree.nodes);
          expect(sender >= start && sender < end).toBe(true);
          const weight = scheme.weight(read.aggregate);
          expect(weight > 0 && weight <= end - start).toBe(true);
          expect(signersOf(scheme, read.aggregate).length).toBe(weight);
          if (read.individual !== noContribution) expect(signersOf(scheme, read.individual)).toEqual([sender]);
          scheme.release(read.aggregate);
          scheme.release(read.individual);
        } else refused++;
        expect(scheme.held).toBe(held);
      }),
      { numRuns: 1000 },
    );
    expect(accepted).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
  });

  it("decodes a sender's aggregate over the block that the receiver expects, not over a block that the sender names", () => {
    const scheme = new CountingScheme(new Tree(16));
    // Node 0 reads node 9's level 4 aggregate over 8 to 15. Node 11 would read the same bytes on level 2 over 8 to 9.
    const aggregate = contributionOf(scheme, blockOf(scheme.tree, 8, 3), [8, 9]);
    const bytes = encodeMessage(scheme, 4, aggregate, noContribution, 0);
    expect(decodeMessage(scheme, 11, 9, bytes)).toEqual({ ok: false, code: 'sender-not-in-peer-set' });
    const lower = decodeMessage(scheme, 11, 9, bytes.with(1, 2));
    expect(lower.ok && signersOf(scheme, lower.aggregate)).toEqual([8, 9]);
  });
});

/** Returns the bytes of {@link message} with the individual contribution as a listed set of the given byte. */
function individualListed(bytes: Uint8Array, set: number): Uint8Array {
  return Uint8Array.from([...bytes].toSpliced(3 + 98, 1, 1, set));
}
