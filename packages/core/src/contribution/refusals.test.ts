import { expect, it } from 'vitest';
import { refusedBy } from '../../../../tests/outcomes.ts';
import { numberKernel as kernel, signatureOf } from '../../test/numberKernel.ts';
import { Tree } from '../overlay/tree.ts';
import { Stakes } from '../stakes/stakes.ts';
import { CountingScheme } from './countingScheme.ts';
import { MultiplicityScheme } from './multiplicities.ts';
import { MultiSignatureScheme } from './multiSignatureScheme.ts';
import { requireNodeArguments, requireScheme } from './scheme.ts';

it('a verifier must answer each claim', () => {
  const tree = new Tree(2);
  const scheme = new MultiSignatureScheme({ tree, kernel });
  const { claims, verdictsOn } = scheme.claimsToVerify([]);
  expect(claims).toEqual([]);
  expect(verdictsOn([])).toEqual([]);
  expect(() => verdictsOn([true])).toThrow('verdicts: expected one for each of 0 claims, got 1');
});

it('refuses an invalid scheme, tree, key or argument, and names it', () => {
  const scheme = new CountingScheme(new Tree(4));
  const port = Object.fromEntries(
    ['nowUs', 'send', 'setTimer', 'verify', 'output', 'refuse', 'trace'].map((name) => [name, () => 0]),
  );
  const right = { id: 0, scheme, threshold: 2, own: scheme.individual(0), port };
  const asks: [() => unknown, string][] = [
    ...[{}, { id: 3, own: scheme.individual(3) }, { threshold: 9 }].map((fields): [object, string] => [
      fields,
      'taken',
    ]),
    ...[-1, 4, 0.5].map((id): [object, string] => [{ id }, 'id']),
    [{ scheme: {} }, 'scheme.block'],
    [{ own: 'x' }, 'own'],
    ...[undefined, 0, 1, scheme.individual(1), 99].map((own): [object, string] => [{ own }, 'own']),
    [{ port: {} }, 'port.nowUs'],
  ].map(([fields, refused]) => [
    () => requireNodeArguments({ ...right, ...(fields as object) } as never),
    `${refused}`,
  ]);
  asks.push(
    [() => requireScheme(scheme), 'taken'],
    [() => requireScheme(undefined as never), 'scheme'],
    [() => requireScheme({} as never), 'scheme.block'],
    [() => new CountingScheme(new Tree(3), new Stakes(new Tree(3, 'packed'), [1n, 1n, 2n])), 'stakes'],
    [() => new CountingScheme(new Tree(3), new Stakes(new Tree(2), [1n, 2n])), 'stakes'],
    ...[-1, 4, 0.5].map((id): [() => unknown, string] => [() => scheme.individual(id), 'id']),
    [() => new MultiSignatureScheme({ tree: new Tree(4), kernel: undefined as never }), 'kernel'],
    [() => new MultiSignatureScheme({ tree: new Tree(4), kernel: {} as never }), 'kernel.decodeSignature'],
  );
  const keys: [unknown, number, string][] = [
    [[], 1, 'taken'],
    [[1, 2, 3], 2, 'keys'],
    ['x', 1, 'keys'],
    [[1], 0, 'subcommittee'],
    [[1, 2], 3, 'subcommittee'],
  ];
  for (const [of, span, refused] of keys)
    asks.push([() => new MultiplicityScheme(of as never, span as never, kernel), refused]);
  const one = new MultiplicityScheme([1], 1, kernel);
  for (const [bits, signature, refused] of [
    ['1', signatureOf(1), 'bits'],
    [[1], 'x'.repeat(96), 'signature'],
  ])
    asks.push([() => one.contribution({ first: 0, number: 1 }, bits as never, signature as never), `${refused}`]);
  const { encodeSignature: _, ...without } = kernel;
  asks.push([() => new MultiplicityScheme([1], 1, without as never), 'kernel.encodeSignature']);
  expect(asks.map(([ask]) => refusedBy(ask))).toEqual(asks.map(([, refused]) => refused));
});
