import fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyPart, blockOf, contributionOf, forgeryOf, idsOfBlock, signersOf } from '../../test/sets.ts';
import { anySize, upTo } from '../../test/sizes.ts';
import { Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import { CountingScheme } from './countingScheme.ts';

const anySetting = fc.record({ nodes: anySize, id: fc.nat(), order: fc.nat() }).map(({ nodes, id, order }) => {
  const tree = new Tree(nodes);
  return { scheme: new CountingScheme(tree), block: blockOf(tree, id % nodes, order % (tree.levels + 1)) };
});

function encoded(scheme: CountingScheme, contribution: Contribution): Uint8Array {
  const bytes = new Uint8Array(scheme.encodedBytes(contribution));
  expect(scheme.encode(contribution, bytes, 0)).toBe(bytes.length);
  return bytes;
}

it('v1.03 2.1: CountingScheme: neither a forged contribution nor anything aggregated with one verifies', () => {
  fc.assert(
    fc.property(anySetting, anyPart, anyPart, fc.boolean(), ({ scheme, block }, part, split, swap) => {
      const { tree } = scheme;
      const all = part(idsOfBlock(tree, block));
      const forged = split(all);
      const honest = all.filter((id) => !forged.includes(id));
      if (forged.length === 0) return;
      const forgery = forgeryOf(scheme, block, forged);
      const genuine = contributionOf(scheme, block, honest);
      const again = contributionOf(scheme, block, forged);
      expect(scheme.verify(forgery)).toBe(false);
      expect(scheme.verify(genuine)).toBe(true);
      expect(scheme.verify(again), 'the same set, honestly').toBe(true);
      const made = scheme.aggregate(1, swap ? forgery : genuine, swap ? genuine : forgery);
      expect(scheme.weight(made)).toBe(all.length);
      expect(scheme.verify(made)).toBe(false);
      const carried = scheme.aggregate(1, made, noContribution);
      expect(scheme.verify(carried)).toBe(false);
      for (const contribution of [forgery, genuine, again, made, carried]) scheme.release(contribution);
      expect(scheme.held).toBe(0);
    }),
    { numRuns: 200 },
  );
});

it('CountingScheme removes a forgery at its last release: the next contribution with this handle is valid', () => {
  const scheme = new CountingScheme(new Tree(40));
  for (const _ of upTo(10)) {
    scheme.release(forgeryOf(scheme, 1, [1, 2]));
    const honest = contributionOf(scheme, 1, [1, 2]);
    expect(scheme.verify(honest)).toBe(true);
    scheme.release(honest);
  }
  expect(scheme.held).toBe(0);
});

it('CountingScheme decodes its encoded contributions, and those with any changed byte of the signature as forgeries', () => {
  fc.assert(
    fc.property(anySetting, anyPart, fc.boolean(), fc.nat(95), ({ scheme, block }, part, forge, at) => {
      const signers = part(idsOfBlock(scheme.tree, block));
      if (signers.length === 0) return;
      const some = forge ? forgeryOf(scheme, block, signers) : contributionOf(scheme, block, signers);
      const bytes = encoded(scheme, some);
      const read = scheme.decode(block, bytes, 0);
      if (!read.ok) throw new Error(read.code);
      expect(read.end).toBe(bytes.length);
      expect(scheme.block(read.contribution)).toBe(block);
      expect(signersOf(scheme, read.contribution)).toEqual(signers);
      expect(scheme.verify(read.contribution)).toBe(!forge);
      expect(encoded(scheme, read.contribution)).toEqual(bytes);
      const changed = scheme.decode(block, bytes.with(bytes.length - 1 - at, 7), 0);
      if (!changed.ok) throw new Error(changed.code);
      expect(scheme.verify(changed.contribution)).toBe(false);
      scheme.release(changed.contribution);
      scheme.release(read.contribution);
      scheme.release(some);
      expect(scheme.held).toBe(0);
    }),
    { numRuns: 200 },
  );
});
