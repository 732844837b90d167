import { CountingScheme, Tree } from '@tutti/core';
import { expect, it } from 'vitest';
import { contributionOf } from '../../../core/test/sets.ts';
import { goReferenceBytes } from './labScenario.ts';

it("is within four bytes of the output of Go's gob encoder for the reference's packets", () => {
  const tree = new Tree(4096);
  const scheme = new CountingScheme(tree);
  // Lengths computed with encoding/gob for origin 3000, with and without the individual signature.
  const encoded: [level: number, both: number, alone: number][] = [
    [1, 235, 168],
    [7, 235, 168],
    [8, 243, 176],
    [9, 259, 192],
    [10, 292, 226],
    [12, 486, 420],
  ];
  for (const [level, both, alone] of encoded) {
    // Node 0's contribution on a level is over the sibling block of the level's peers.
    const out = contributionOf(scheme, tree.peerBlock(0, level) ^ 1, [0]);
    expect(Math.abs(goReferenceBytes(scheme, out, true) - both)).toBeLessThanOrEqual(4);
    expect(Math.abs(goReferenceBytes(scheme, out, false) - alone)).toBeLessThanOrEqual(4);
  }
  // The shortest lengths are exact.
  for (const [level, both, alone] of encoded.slice(0, 3)) {
    const out = contributionOf(scheme, tree.peerBlock(0, level) ^ 1, [0]);
    expect([goReferenceBytes(scheme, out, true), goReferenceBytes(scheme, out, false)]).toEqual([both, alone]);
  }
});

it('a bit beyond a word needs another word', () => {
  for (const [nodes, bytes] of [
    [128, 168],
    [130, 176],
  ] as const) {
    // The first half of 130 nodes has 65 nodes.
    const scheme = new CountingScheme(new Tree(nodes));
    expect(goReferenceBytes(scheme, contributionOf(scheme, 2, [0]), false)).toBe(bytes);
  }
});
