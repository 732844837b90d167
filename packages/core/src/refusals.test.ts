import { describe, expect, it } from 'vitest';
import { NodeBench } from '../test/nodeBench.ts';
import { contributionOf } from '../test/sets.ts';
import { noContribution } from './protocol.ts';
import { refusalName, refusalNumber, screeningRefusals } from './refusals.ts';
import { decodeMessage, encodeMessage } from './wire/message.ts';

it('refusals of a node keep the numbers of recordings in every version', () => {
  expect(screeningRefusals.map((code) => `${refusalNumber(code)} ${code}`)).toEqual([
    ...['1 sender-out-of-range', '2 level-out-of-range', '3 level-empty', '4 sender-not-in-peer-set', '5 wrong-span'],
    ...['6 empty-set', '7 not-individual', '8 blacklisted', '9 unknown-flags'],
  ]);
  for (const code of screeningRefusals) expect(refusalName(refusalNumber(code))).toBe(code);
  for (const unknown of [0, 77, -1, 1.5]) expect(refusalName(unknown)).toBe(`unknown(${unknown})`);
});

describe('a fault has one name in the decoder and in the node', () => {
  // In a packed tree of five nodes, levels 1 and 2 of node 4 have no peers.
  const bench = new NodeBench({ nodes: 5, form: 'packed', id: 4 });
  bench.node.start();
  const { scheme, port, node } = bench;
  const { tree } = scheme;
  const level = tree.levels;
  const block = tree.peerBlock(node.id, level);
  const from = tree.start(block);
  const peers = contributionOf(scheme, block, [from]);

  it.each([
    ['level-out-of-range', from, level + 1, peers, 0],
    ['level-out-of-range', from, 0, peers, 0],
    ['level-empty', from, 1, peers, 0],
    ['sender-not-in-peer-set', node.id, level, peers, 0],
    ['unknown-flags', from, level, peers, 0x40],
  ])('%s', (code, sender, ofLevel, aggregate, flags) => {
    const bytes = encodeMessage(scheme, ofLevel, aggregate, noContribution, flags);
    expect(decodeMessage(scheme, node.id, sender, bytes)).toEqual({ ok: false, code });
    node.onMessage(sender, ofLevel, aggregate, noContribution, flags);
    expect(port.refusals.at(-1)).toEqual({ level: ofLevel, peer: sender, code });
  });

  it('empty-set', () => {
    const bytes = encodeMessage(scheme, level, peers, noContribution, 0);
    // The set's bits follow the header and the form byte.
    bytes[4] = 0;
    expect(decodeMessage(scheme, node.id, from, bytes)).toEqual({ ok: false, code: 'empty-set' });
    node.onMessage(from, level, noContribution, noContribution, 0);
    expect(port.refusals.at(-1)).toEqual({ level, peer: from, code: 'empty-set' });
  });
});
