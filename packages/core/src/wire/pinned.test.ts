import { expect, it } from 'vitest';
import { digestOf, drawn, outcomeOf } from '../../../../tests/digests.ts';
import { contributionOf } from '../../test/sets.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { noContribution } from '../protocol.ts';
import { decodeMessage, encodeMessage, longestMessageBytes, messageBytes } from './message.ts';

it('messages are written, read and refused as they were, and nothing of them is kept', () => {
  const pins = drawn(300, (draw) => {
    const tree = new Tree(draw.integer(2, 40), draw.one(['spread', 'packed']), draw.one([2, 4]));
    const scheme = new CountingScheme(tree);
    const receiver = draw.integer(0, tree.nodes - 1);
    const from = (receiver + draw.integer(1, tree.nodes - 1)) % tree.nodes;
    const level = tree.levelBetween(receiver, from);
    const block = tree.peerBlock(receiver, level);
    const peers = Array.from({ length: tree.size(block) }, (_, index) => tree.start(block) + index);
    const chosen = draw.some(peers);
    const aggregate = contributionOf(scheme, block, chosen.length === 0 ? [from] : chosen);
    const individual = draw.chance(0.6) ? scheme.individual(from) : noContribution;
    const bytes = encodeMessage(scheme, level, aggregate, individual, draw.integer(0, 3));
    const spoilt = draw.chance(0.4)
      ? bytes.slice(0, draw.integer(0, bytes.length))
      : Uint8Array.of(...bytes, ...draw.bytes(draw.integer(0, 1)));
    if (draw.chance(0.7) && spoilt.length > 0)
      spoilt[
        draw.chance(0.6) ? Math.min(draw.integer(0, 4), spoilt.length - 1) : draw.integer(0, spoilt.length - 1)
      ]! ^= 1 << draw.integer(0, 7);
    const held = scheme.held;
    const read = [bytes, spoilt].map((of) => {
      const message = decodeMessage(scheme, receiver, from, of);
      if (!message.ok) return message.code;
      const { level: at, flags } = message;
      const seen = [at, flags, scheme.weight(message.aggregate), message.individual === noContribution];
      scheme.release(message.aggregate);
      scheme.release(message.individual);
      return seen;
    });
    return [
      bytes,
      messageBytes(scheme, aggregate, individual),
      read,
      scheme.held - held,
      longestMessageBytes(tree, draw.integer(1, 99)),
    ];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"c8374eb89f49"`);
  // So that a change of one kind of refusal is told from a change of the bytes.
  expect(
    [...new Set(pins.flatMap(([, , read]) => (read as unknown[]).filter((one) => typeof one === 'string')))].sort(),
  ).toMatchInlineSnapshot(`
    [
      "bit-beyond-end",
      "empty-set",
      "level-out-of-range",
      "sender-not-in-peer-set",
      "trailing-bytes",
      "truncated",
      "unknown-flags",
      "unknown-set-form",
      "unknown-version",
    ]
  `);
});

it('what is no scheme, tree or bytes is refused with the words it was', () => {
  const scheme = new CountingScheme(new Tree(4));
  const one = scheme.individual(1);
  expect([
    outcomeOf(() => messageBytes({} as never, one, 0)),
    outcomeOf(() => encodeMessage({} as never, 1, one, 0, 0)),
    outcomeOf(() => decodeMessage({} as never, 0, 1, new Uint8Array(9))),
    outcomeOf(() => decodeMessage(scheme, 0, 1, [] as never)),
    outcomeOf(() => longestMessageBytes({} as never, 96)),
    ...[1, 2, 3, 33].map((nodes) => longestMessageBytes(new Tree(nodes), 96)),
  ]).toMatchInlineSnapshot(`
    [
      "TypeError: scheme.encodedBytes: expected a function, got undefined",
      "TypeError: scheme.encodedBytes: expected a function, got undefined",
      "TypeError: scheme.decode: expected a function, got undefined",
      "TypeError: bytes: expected a Uint8Array, got an array of 0",
      "TypeError: tree: expected a Tree, got an object",
      198,
      198,
      198,
      200,
    ]
  `);
});
