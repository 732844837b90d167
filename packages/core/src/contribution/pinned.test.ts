import { expect, it } from 'vitest';
import { type Draw, digestOf, drawn, optionRefusalsOf, outcomeOf, refusalsOf } from '../../../../tests/digests.ts';
import { signersOf, wordsOf } from '../../test/sets.ts';
import { Tree } from '../overlay/tree.ts';
import { type Contribution, noContribution } from '../protocol.ts';
import { Stakes } from '../stakes/stakes.ts';
import type { BitsetScheme } from './bitsetScheme.ts';
import { CountingScheme } from './countingScheme.ts';
import { multiplicityCodeBytes, readMultiplicities, writeMultiplicities } from './multiplicityCode.ts';
import { type MultiplicityContribution, type MultiplicityKernel, MultiplicityScheme } from './multiplicityScheme.ts';
import { keyTotals, sumOfMultiples } from './multiplicitySum.ts';
import { MultiSignatureScheme, type SignatureKernel } from './multiSignatureScheme.ts';
import { requireNodeArguments, requireScheme } from './nodeArguments.ts';
import { popcount } from './popcount.ts';
import { listedSetBytes, readSet, writeSet } from './setCode.ts';

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

/** All that can be asked of a contribution. */
function told(scheme: BitsetScheme, one: Contribution): unknown {
  if (one === noContribution) return 'none';
  const out = new Uint8Array(scheme.encodedBytes(one) + 3).fill(7);
  const end = scheme.encode(one, out, 2);
  const block = scheme.block(one);
  const back = scheme.decode(block, out, 2);
  const again = back.ok ? [back.end, signersOf(scheme, back.contribution)] : back;
  if (back.ok) scheme.release(back.contribution);
  const words = outcomeOf(() => scheme.setWords(one));
  return [
    block,
    scheme.weight(one),
    scheme.stake(one),
    scheme.isFull(one),
    words,
    signersOf(scheme, one),
    out,
    end,
    again,
  ];
}

/** Aggregates, splits, forges and lets go of contributions at random. */
function playScheme(
  draw: Draw,
  scheme: CountingScheme | MultiSignatureScheme,
  own: (id: number) => Contribution,
): unknown {
  const { tree } = scheme;
  const { nodes } = tree;
  const kept: Contribution[] = draw.list(5, () => own(draw.integer(0, nodes - 1)));
  const asked = draw.list(30, () => {
    const [a, b] = [draw.one(kept), draw.one([...kept, noContribution])];
    const able = outcomeOf(() => scheme.aggregatable(a, b));
    if (draw.chance(0.15)) {
      const id = draw.integer(0, nodes - 1);
      const block = tree.ownBlock(id, draw.integer(1, tree.levels + 1));
      const ids = draw.some(
        Array.from({ length: tree.size(block) }, (_, index) => tree.start(block) + index),
        0.6,
      );
      kept.push(
        scheme.forge(
          block,
          ids.length === tree.size(block)
            ? undefined
            : wordsOf(tree, block, ids.length === 0 ? [tree.start(block)] : ids),
        ),
      );
    } else if (able === true && a !== b) {
      let block = scheme.block(a);
      const other = b === noContribution ? block : scheme.block(b);
      while (!isWithin(other, block)) block >>>= 1;
      kept.push(scheme.aggregate(block, a, b));
    } else kept.push(own(draw.integer(0, nodes - 1)));
    if (kept.length > 12) scheme.release(kept.shift()!);
    const last = kept.at(-1)!;
    return [able, told(scheme, last), scheme.verify(last), scheme.held];
  });
  for (const one of kept) scheme.release(one);
  return [asked, scheme.held];
}

function isWithin(block: number, wider: number): boolean {
  return block >= wider && (block === wider || isWithin(block >>> 1, wider));
}

function drawTree(draw: Draw): Tree {
  return new Tree(
    draw.one([1, 2, 3, 7, 13, 32, 33, 64, 65, 100, 150]),
    draw.one(['spread', 'packed']),
    draw.one([2, 4, 8]),
  );
}

it('counted contributions are aggregated, written, read and let go of as they were', () => {
  const pins = drawn(30, (draw) => {
    const scheme = new CountingScheme(drawTree(draw));
    return digestOf(playScheme(draw, scheme, (id) => scheme.individual(id)));
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "d1838ae105c1",
      "8fb9d1e888a9",
      "7277840d46e0",
      "07dee53fdc88",
      "0f7711b6f8db",
      "1fcb59958699",
      "345ad4471dce",
      "7d0f822ecdee",
      "afab17c5101c",
      "af0cef34f005",
      "3ec45dbcff40",
      "caf167a5aec0",
      "3600f2fb9eb4",
      "35e9925326c5",
      "a4484c56857d",
      "eaad800f300e",
      "7ae0c42114f3",
      "422cd6c79146",
      "c196eedbe5cf",
      "987691a530c6",
      "40274321337e",
      "aaeb12ffa4b4",
      "5532b1a6e66f",
      "24c55eb3bfa6",
      "fdc7557d4cfb",
      "fcd7ae7575f4",
      "d9a5e8847e43",
      "fcdd507369b9",
      "ced7a2c9fc9f",
      "59373da71485",
    ]
  `);
});

it('so are multi-signatures, and what is claimed of them', () => {
  const pins = drawn(24, (draw) => {
    const claimed: unknown[] = [];
    const verifier = {
      verify: (claim: unknown) => claimed.push(claim) % 3 !== 0,
      ...(draw.chance(0.5) && {
        verifyBatch: (claims: unknown[]) => claims.map((claim) => claimed.push(claim) % 2 === 0),
      }),
    };
    const scheme = new MultiSignatureScheme({ tree: drawTree(draw), kernel, verifier } as never);
    const own = (id: number) => scheme.individual(id, sized(2 ** (id % 20), 96));
    const played = playScheme(draw, scheme, own);
    const some = draw.list(5, (_, index) => own(index % scheme.tree.nodes));
    return digestOf([
      played,
      outcomeOf(() => scheme.verifyBatch(some)),
      outcomeOf(() => scheme.claimsToVerify(some)),
      claimed,
    ]);
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "c0e16aab1193",
      "efa93f18b91c",
      "2c1c2e32b1f2",
      "b14973ac6ebc",
      "2cd9e3ca54b1",
      "44f9289eb6d0",
      "fd7dd5958d53",
      "a490d015982c",
      "3807bb016fc8",
      "60c0365734e8",
      "c63673a47395",
      "d1b6057d3eba",
      "4b30c5f160a2",
      "ba5cfdd67920",
      "53e5e6ee097f",
      "2d0f8a4f5975",
      "2ae787725c54",
      "a9f75e6f4e7b",
      "dca0fcadd8d9",
      "7e3593f40db5",
      "a83de7adfe48",
      "1a20da07d3d8",
      "78cec7a29027",
      "545bd1a62af2",
    ]
  `);
});

it('contributions of members who weigh unlike are what they were', () => {
  const pins = drawn(24, (draw) => {
    const tree = drawTree(draw);
    const weigh = draw.one([() => 7n, () => BigInt(draw.integer(1, 9)), () => 2n ** BigInt(draw.integer(0, 50))]);
    const stakes = new Stakes(tree, draw.list(tree.nodes, weigh));
    const scheme = new CountingScheme(tree, stakes);
    return digestOf(playScheme(draw, scheme, (id) => scheme.individual(id)));
  });
  expect(pins).toMatchInlineSnapshot(`
    [
      "135db19321cd",
      "425225dcbd43",
      "aa5c7ac61478",
      "2771eb80badf",
      "dba6ec709e11",
      "61225ccbdd93",
      "2383c7a49974",
      "6088d4f5f58c",
      "5f247215dc78",
      "d1c7211f2e5b",
      "71eda3c503d8",
      "224704aea546",
      "30a002d78f2f",
      "981ebb8763ed",
      "03715f4d75d6",
      "228bdfafc6ca",
      "bf4fb6f33e76",
      "46f837ae1a37",
      "40ae14d1fcc5",
      "2080104712e5",
      "64a51a2e2717",
      "3ed1a5e1ac1e",
      "6ec387012d42",
      "6856d307f066",
    ]
  `);
});

it('a verifier that answers other than each claim is refused', () => {
  const tree = new Tree(2);
  const scheme = new MultiSignatureScheme({ tree, kernel });
  const { claims, verdictsOn } = scheme.claimsToVerify([]);
  expect(claims).toEqual([]);
  expect(verdictsOn([])).toEqual([]);
  expect(() => verdictsOn([true])).toThrow('verdicts: expected one for each of 0 claims, got 1');
});

it('multiplicities are merged, verified, written and read as they were', () => {
  const pins = drawn(40, (draw) => {
    const [span, number] = [draw.integer(1, 9), draw.integer(1, 4)];
    const keys = draw.list(span * number, (_, member) => member + 1);
    const scheme = new MultiplicityScheme(keys, span, kernel);
    const over = { first: 0, number };
    const parts = draw.list(4, (): MultiplicityContribution => {
      const first = draw.integer(0, number - 1);
      const bits = draw.list(span, () => draw.integer(0, 1));
      const sum = bits.reduce((all, bit, member) => all + bit * keys[first * span + member]!, draw.chance(0.2) ? 1 : 0);
      return scheme.contribution({ first, number: 1 }, bits, sized(sum, 96));
    });
    let whole: MultiplicityContribution | undefined = parts[0];
    const merges = draw.list(18, () => {
      const next = whole && scheme.aggregate(over, whole, draw.one(parts));
      whole = next ?? parts[0];
      return [next, whole && scheme.weight(whole), whole && scheme.verify(whole), whole && scheme.encode(whole)];
    });
    const bytes = draw
      .bytes(draw.one([0, 1]) + multiplicityCodeBytes(span) + 96)
      .map((byte) => (draw.chance(0.6) ? 0 : byte));
    const counts = Uint8Array.from(draw.list(span, () => draw.integer(0, 15)));
    const code = writeMultiplicities(counts);
    const totals = keyTotals(keys, span, kernel);
    const of = Uint8Array.from(draw.list(keys.length, () => draw.integer(0, draw.one([1, 15]))));
    return [
      [merges, scheme.decode({ first: 0, number: 1 }, bytes), code, readMultiplicities(code, span)],
      [sumOfMultiples(keys, of, kernel, totals), sumOfMultiples(keys, of.fill(0), kernel, totals), totals],
    ];
  });
  expect(pins.map(digestOf)).toMatchInlineSnapshot(`
    [
      "30725dc24aa1",
      "1981fea05cef",
      "bbdb59280e5a",
      "69d64a9409d2",
      "81ec384a3f26",
      "be79274c3563",
      "c80eed6a79e4",
      "48e4e7dd5f67",
      "c11591710505",
      "66f978452202",
      "d5b54376017c",
      "5805be95b305",
      "311ed961f3aa",
      "1bac1d76e78a",
      "f59db98d063d",
      "06f34f3d2726",
      "4a1c3318ca11",
      "987c0f5cd595",
      "4855fed197cf",
      "62c1f1265bbe",
      "56da359c0ded",
      "909ddcf62084",
      "9b0bebd14728",
      "12df4d99c725",
      "25bea92653e6",
      "7c35db7fa913",
      "effb169e639d",
      "ee84d0a98748",
      "0c41eb6617e6",
      "9d8bf29a280b",
      "ef89769aa1cd",
      "6116314edeef",
      "1480a48fb2b6",
      "137f81f5fea5",
      "ebff8cda418f",
      "a547312f17cb",
      "22d80477e115",
      "b7ad05611424",
      "8e502f69809f",
      "d652be782595",
    ]
  `);
});

it('sets are written and read as they were, and counted', () => {
  const pins = drawn(200, (draw) => {
    const size = draw.integer(1, 70);
    const out = new Uint8Array(12);
    const words = Int32Array.from(
      draw.list((size + 31) >>> 5, () => draw.integer(0, 2 ** 20 - 1) * 4096 + draw.integer(0, 4095)),
    );
    const end = writeSet(draw.chance(0.1) ? undefined : words, size, out, 1);
    const bytes = draw
      .bytes(draw.integer(0, 11))
      .map((byte, at) => (at === 0 ? byte % 3 : draw.chance(0.5) ? 0 : byte));
    return [
      listedSetBytes(size),
      out,
      end,
      readSet(size, out, 1),
      readSet(size, bytes, draw.integer(0, 1)),
      popcount(words[0]!),
    ];
  });
  expect(digestOf(pins)).toMatchInlineSnapshot(`"d0e20a5bfb26"`);
});

it('what is no scheme, tree, key or argument is refused with the words it was', () => {
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
  expect(pins).toMatchSnapshot();
});

it('every argument of a scheme is refused with the words it was', () => {
  const tree = new Tree(4);
  const [counting, signed] = [new CountingScheme(tree), new MultiSignatureScheme({ tree, kernel })];
  const multiple = new MultiplicityScheme([1, 2], 2, kernel);
  const forms = ['compressed', 'uncompressed'].flatMap((form) =>
    [{}, { signatureBytes: 48 }, { signatureBytes: 96 }, { signaturePointBytes: 9 }].map((sizes) =>
      outcomeOf(() => {
        const { signatureBytes } = new MultiSignatureScheme({ tree, kernel: { ...kernel, ...sizes }, form } as never);
        return signatureBytes;
      }),
    ),
  );
  const out = new Uint8Array(200);
  const words = [
    optionRefusalsOf('signed', (given: never) => new MultiSignatureScheme(given), { tree, kernel }),
    refusalsOf({
      counting: [(given: never) => new CountingScheme(given), tree],
      individual: [counting.individual.bind(counting), 0],
      signature: [signed.individual.bind(signed), 0, new Uint8Array(96)],
      aggregate: [counting.aggregate.bind(counting), 1, counting.individual(0), counting.individual(1)],
      encode: [counting.encode.bind(counting), counting.individual(0), out, 0],
      decode: [counting.decode.bind(counting), 1, out, 0],
      multiplicities: [(...[keys, span, of]: never[]) => new MultiplicityScheme(keys!, span!, of!), [1, 2], 2, kernel],
      contribution: [multiple.contribution.bind(multiple), { first: 0, number: 1 }, [1, 0], new Uint8Array(96)],
      first: [(first: never) => multiple.contribution({ first, number: 1 }, [1, 0], new Uint8Array(96)), 0],
      number: [(number: never) => multiple.contribution({ first: 0, number }, [1, 0], new Uint8Array(96)), 1],
      requireScheme: [requireScheme, counting],
    } as never),
  ];
  expect([forms, ...words.map((some) => [some.length, digestOf(some)])]).toMatchSnapshot();
});
