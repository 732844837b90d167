import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { decodeMessage, encodeMessage, longestMessageBytes, messageBytes } from './message.ts';

it('what is no scheme, tree or bytes is refused, and named', () => {
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
