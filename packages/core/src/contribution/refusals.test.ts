import { expect, it } from 'vitest';
import { outcomeOf } from '../../../../tests/digests.ts';
import { Tree } from '../overlay/tree.ts';
import { CountingScheme } from './countingScheme.ts';
import { type MultiplicityKernel, MultiplicityScheme } from './multiplicities.ts';
import { MultiSignatureScheme, type SignatureKernel } from './multiSignatureScheme.ts';
import { requireNodeArguments, requireScheme } from './nodeArguments.ts';

/** A group of integers: a signature says its number in its first four bytes, and 0xff at its end is no point. */
const kernel: SignatureKernel & MultiplicityKernel<number> = {
  decodeSignature: (bytes) => (bytes[95] === 0xff ? { ok: false } : { ok: true, point: sized(numberIn(bytes), 192) }),
  encodeSignature: (point) => sized(numberIn(point), 96),
  addSignatures: (a, b) => sized(numberIn(a) + numberIn(b), 192),
  addKeys: (a, b) => a + b,
  negateKey: (key) => -key,
  verify: (key, signature) => numberIn(signature) === key,
};

function sized(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function numberIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
}

it('a verifier must answer each claim', () => {
  const tree = new Tree(2);
  const scheme = new MultiSignatureScheme({ tree, kernel });
  const { claims, verdictsOn } = scheme.claimsToVerify([]);
  expect(claims).toEqual([]);
  expect(verdictsOn([])).toEqual([]);
  expect(() => verdictsOn([true])).toThrow('verdicts: expected one for each of 0 claims, got 1');
});

it('what is no scheme, tree, key or argument is refused, and named', () => {
  const scheme = new CountingScheme(new Tree(4));
  const port = Object.fromEntries(
    ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'].map((name) => [name, () => 0]),
  );
  const right = { id: 0, scheme, threshold: 2, own: 1, port };
  const wrong = [
    {},
    { id: -1 },
    { id: 4 },
    { id: 3 },
    { id: 0.5 },
    { scheme: {} },
    { own: 'x' },
    { own: undefined },
    { port: {} },
    { threshold: 9 },
  ];
  const pins = [
    ...wrong.map((fields) => outcomeOf(() => requireNodeArguments({ ...right, ...fields } as never))),
    ...[undefined, {}, scheme].map((value) => outcomeOf(() => requireScheme(value as never))),
    ...[-1, 4, 0.5].map((id) => outcomeOf(() => scheme.individual(id))),
    ...[
      [[], 1],
      [[1, 2, 3], 2],
      [[1], 0],
      ['x', 1],
      [[1, 2], 3],
    ].map(([keys, span]) => outcomeOf(() => new MultiplicityScheme(keys as never, span as never, kernel) && 'taken')),
  ];
  expect(pins).toMatchInlineSnapshot(`
    [
      undefined,
      "RangeError: id: expected an integer from 0 to 3, got -1",
      "RangeError: id: expected an integer from 0 to 3, got 4",
      undefined,
      "RangeError: id: expected an integer from 0 to 3, got 0.5",
      "TypeError: scheme.weight: expected a function, got undefined",
      "TypeError: own: expected a contribution, got "x"",
      "TypeError: own: expected a contribution, got undefined",
      "TypeError: port.nowUs: expected a function, got undefined",
      undefined,
      "TypeError: scheme: expected an object with weight, contains, aggregate, retain, release, got undefined",
      "TypeError: scheme.weight: expected a function, got undefined",
      undefined,
      "RangeError: id: expected an integer from 0 to 3, got -1",
      "RangeError: id: expected an integer from 0 to 3, got 4",
      "RangeError: id: expected an integer from 0 to 3, got 0.5",
      "taken",
      "RangeError: keys: expected whole subcommittees of 2, got 3",
      "RangeError: subcommittee: expected an integer from 1 to 1, got 0",
      "TypeError: keys: expected an array of public keys, got "x"",
      "RangeError: subcommittee: expected an integer from 1 to 2, got 3",
    ]
  `);
});
