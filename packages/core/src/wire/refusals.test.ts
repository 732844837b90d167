import { expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/outcomes.ts';
import { CountingScheme } from '../contribution/countingScheme.ts';
import { Tree } from '../overlay/tree.ts';
import { decodeMessage, encodeMessage, longestMessageBytes, messageBytes } from './message.ts';

it('refuses an invalid scheme, tree or bytes, and names it', () => {
  const scheme = new CountingScheme(new Tree(4));
  const one = scheme.individual(1);
  const asks: readonly [() => unknown, string][] = [
    [() => messageBytes({} as never, one, 0), 'scheme.encodedBytes'],
    [() => encodeMessage({} as never, 1, one, 0, 0), 'scheme.encodedBytes'],
    [() => decodeMessage({} as never, 0, 1, new Uint8Array(9)), 'scheme.decode'],
    [() => decodeMessage(scheme, 0, 1, [] as never), 'bytes'],
    [() => longestMessageBytes({} as never, 96), 'tree'],
  ];
  expect(asks.map(([ask]) => refusedBy(ask))).toEqual(asks.map(([, refused]) => refused));
  expect([1, 2, 3, 33].map((nodes) => longestMessageBytes(new Tree(nodes), 96))).toEqual([198, 198, 198, 200]);
});
