import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberIn, numberKernel, pointOf, signatureOf } from '../../test/numberKernel.ts';
import { Tree } from '../overlay/tree.ts';
import { noContribution } from '../protocol.ts';
import {
  MultiSignatureScheme,
  type SignatureKernel,
  type SignatureVerifier,
  type WireForm,
} from './multiSignatureScheme.ts';

function countingKernel() {
  const asked = { decoded: 0, encoded: 0, added: 0 };
  const counted = <Args extends unknown[], T>(count: keyof typeof asked, call: (...args: Args) => T) => {
    return (...args: Args): T => {
      asked[count]++;
      return call(...args);
    };
  };
  const kernel: SignatureKernel = {
    decodeSignature: counted('decoded', numberKernel.decodeSignature),
    encodeSignature: counted('encoded', numberKernel.encodeSignature),
    addSignatures: counted('added', numberKernel.addSignatures),
  };
  return { kernel, asked };
}

function received(scheme: MultiSignatureScheme, id: number, signature: Uint8Array): number {
  const own = scheme.individual(id, signatureOf(1));
  const bytes = new Uint8Array(scheme.encodedBytes(own));
  bytes.set(signature, scheme.encode(own, bytes, 0) - signature.length);
  scheme.release(own);
  return decoded(scheme, scheme.tree.leaf(id), bytes);
}

function decoded(scheme: MultiSignatureScheme, block: number, bytes: Uint8Array, offset = 0): number {
  const read = scheme.decode(block, bytes, offset);
  if (!read.ok) throw new Error(read.code);
  return read.contribution;
}

const root = 1;

function made(nodes: number, options: { verifier?: SignatureVerifier; form?: WireForm } = {}) {
  const { kernel, asked } = countingKernel();
  const scheme = new MultiSignatureScheme({ tree: new Tree(nodes), kernel, ...options });
  /** Returns an individual contribution whose signature is a power of two, so that a sum identifies its addends. */
  const own = (id: number) => scheme.individual(id, signatureOf(2 ** id % 2 ** 31));
  return { scheme, asked, own };
}

it('v1.03 section 2.1, Aggr adds the signatures of the signers in the claim, in any order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(12), { minLength: 1 }), (ids) => {
      const { scheme, own } = made(13);
      const whole = ids.map(own).reduce((sum, one) => scheme.aggregate(root, sum, one));
      const { first, bits, signature } = scheme.claim(whole);
      expect(numberIn(signature)).toBe(ids.reduce((sum, id) => sum + 2 ** id, 0));
      const named = [...bits].flatMap((byte, at) =>
        Array.from({ length: 8 }, (_, bit) => ((byte >> bit) & 1 ? first + 8 * at + bit : -1)).filter((id) => id >= 0),
      );
      expect(named.sort((a, b) => a - b)).toEqual([...ids].sort((a, b) => a - b));
    }),
  );
});

describe('a signature is decoded, encoded and added at most once', () => {
  it('remains encoded after its arrival until it is aggregated, and is decoded once', () => {
    const { scheme, asked, own } = made(4);
    const [a, b, c] = [0, 1, 2].map(own) as [number, number, number];
    scheme.claim(a);
    scheme.encode(a, new Uint8Array(200), 0);
    expect(asked).toEqual({ decoded: 0, encoded: 0, added: 0 });
    scheme.aggregate(root, a, b);
    expect(asked).toEqual({ decoded: 2, encoded: 0, added: 1 });
    scheme.aggregate(root, a, c);
    expect(asked).toEqual({ decoded: 3, encoded: 0, added: 2 });
  });

  it('is encoded once after addition, when it is first sent or claimed', () => {
    const { scheme, asked, own } = made(4);
    const both = scheme.aggregate(root, own(0), own(3));
    expect(asked.encoded).toBe(0);
    expect(numberIn(scheme.claim(both).signature)).toBe(0b1001);
    expect(numberIn(scheme.claim(both).signature)).toBe(0b1001);
    scheme.encode(both, new Uint8Array(200), 0);
    expect(asked.encoded).toBe(1);
  });

  it('keeps signature and point of one side if the other side is empty', () => {
    for (const onLeft of [true, false]) {
      const { scheme, asked, own } = made(4);
      const widened = (one: number) =>
        onLeft ? scheme.aggregate(root, one, noContribution) : scheme.aggregate(root, noContribution, one);
      const alone = widened(own(2));
      expect(numberIn(scheme.claim(alone).signature)).toBe(0b100);
      expect(asked).toEqual({ decoded: 0, encoded: 0, added: 0 });
      const added = scheme.aggregate(root, own(0), own(1));
      const carried = widened(added);
      expect(numberIn(scheme.claim(scheme.aggregate(root, carried, own(3))).signature)).toBe(0b1011);
      // Two signatures of this iteration and one more are decoded. The sum keeps its point.
      expect(asked).toEqual({ decoded: 3, encoded: 1, added: 2 });
    }
  });
});

describe('verify', () => {
  const verifier = () => {
    const asked: { first: number; bits: number[]; bytes: number }[] = [];
    const verify = (first: number, bits: Uint8Array, signature: Uint8Array) => {
      asked.push({ first, bits: [...bits], bytes: signature.length });
      return signature.length === 192 || signature[95] !== 0xff;
    };
    return { asked, verify };
  };

  it('returns the point, for received and for created contributions', () => {
    const { asked, verify } = verifier();
    const { scheme } = made(4, { verifier: { verify } });
    const [a, b] = [1, 2].map((id) => scheme.individual(id, signatureOf(id))) as [number, number];
    expect(scheme.verify(a)).toBe(true);
    expect(scheme.verify(scheme.aggregate(root, a, b))).toBe(true);
    expect(asked).toEqual([
      { first: 1, bits: [1], bytes: 192 },
      { first: 0, bits: [0b110], bytes: 192 },
    ]);
  });

  describe.each(['compressed', 'uncompressed'] as const)('refuses a forgery, %s', (form) => {
    it('made without an individual contribution, which is no point: neither it nor a sum with it verifies', () => {
      const { scheme } = made(4, { verifier: verifier(), form });
      const forged = scheme.forge(scheme.tree.leaf(0), undefined);
      const sum = scheme.aggregate(root, forged, scheme.individual(1, signatureOf(1)));
      for (const one of [forged, sum, scheme.aggregate(root, sum, scheme.individual(2, signatureOf(2)))]) {
        expect(scheme.verify(one)).toBe(false);
        if (form === 'compressed') expect(scheme.claim(one).signature).toEqual(new Uint8Array(96).fill(0xff));
        else expect(() => scheme.claim(one)).toThrow(/^contribution: expected a verified contribution, got/);
      }
      expect(scheme.weight(sum)).toBe(2);
    });

    it('made from an individual contribution, which is a point: the verifier must refuse it', () => {
      const given: Uint8Array[] = [];
      const verify = (_first: number, _bits: Uint8Array, signature: Uint8Array) => given.push(signature) < 0;
      const { scheme } = made(4, { verifier: { verify }, form });
      scheme.individual(1, signatureOf(5));
      for (const block of [root, scheme.tree.leaf(1)])
        expect(scheme.verify(scheme.forge(block, undefined))).toBe(false);
      expect(given).toEqual([pointOf(10), pointOf(10)]);
    });
  });

  it('throws without a verifier or for a signature of another length', () => {
    const { scheme, own } = made(4);
    expect(() => scheme.verify(own(0))).toThrow(TypeError);
    for (const length of [95, 97]) expect(() => scheme.individual(0, new Uint8Array(length))).toThrow(RangeError);
    expect(() => scheme.individual(0, 'x'.repeat(96) as never)).toThrow(
      /^signature: expected a Uint8Array, got a text/,
    );
  });

  it('copies an individual signature, so that its caller can reuse the bytes', () => {
    const { scheme } = made(4);
    const bytes = signatureOf(5);
    const own = scheme.individual(1, bytes);
    bytes.fill(0);
    expect(scheme.claim(own).signature).toEqual(signatureOf(5));
  });
});

describe('the cache of decoded signatures', () => {
  /** Creates a scheme in which node n signs with 2^n. The lengths of verified signatures are recorded. */
  function receiving() {
    const given: number[] = [];
    const verify = (first: number, [bits]: Uint8Array, signature: Uint8Array) => {
      given.push(signature.length);
      return numberIn(signature) === bits! << first && (signature.length === 192 || signature[95] !== 0xff);
    };
    return { ...made(8, { verifier: { verify } }), given };
  }

  it('contains each aggregated signature: the same bytes are not decoded again, and are verified as a point', () => {
    const { scheme, asked, given } = receiving();
    const both = scheme.aggregate(root, received(scheme, 1, signatureOf(2)), received(scheme, 2, signatureOf(4)));
    expect(asked.decoded).toBe(2);
    const again = received(scheme, 1, signatureOf(2));
    expect(scheme.verify(again)).toBe(true);
    expect(given).toEqual([192]);
    const sum = scheme.aggregate(root, again, received(scheme, 3, signatureOf(8)));
    expect(asked.decoded).toBe(3);
    expect([numberIn(scheme.claim(both).signature), numberIn(scheme.claim(sum).signature)]).toEqual([6, 10]);
  });

  it('contains each verified signature, and none that only arrived or is no point', () => {
    const { scheme, asked, given } = receiving();
    const broken = signatureOf(2).with(95, 0xff);
    for (let time = 1; time <= 2; time++) {
      expect(scheme.verify(received(scheme, 1, broken))).toBe(false);
      expect(asked.decoded).toBe(time);
    }
    const sum = scheme.aggregate(root, received(scheme, 1, broken), received(scheme, 2, signatureOf(4)));
    expect(scheme.verify(sum)).toBe(false);
    // Aggregation decoded both signatures. The verification decoded the invalid signature once more.
    expect([asked.decoded, given]).toEqual([5, []]);
    for (let time = 0; time < 2; time++) expect(scheme.verify(received(scheme, 1, signatureOf(2)))).toBe(true);
    expect([asked.decoded, given]).toEqual([6, [192, 192]]);
  });

  it('distinguishes other bytes of the same signer and the same bytes of another signer', () => {
    const { scheme } = receiving();
    scheme.aggregate(root, received(scheme, 1, signatureOf(2)), received(scheme, 2, signatureOf(4)));
    for (const [id, signature] of [
      [1, signatureOf(4)],
      [1, signatureOf(2).with(95, 1)],
      [1, signatureOf(2).with(95, 0xff)],
      [2, signatureOf(2)],
      [3, signatureOf(2)],
    ] as const) {
      const other = received(scheme, id, signature);
      expect(scheme.claim(other).signature).toEqual(signature);
      expect(scheme.verify(other)).toBe(id === 1 && numberIn(signature) === 2 && signature[95] !== 0xff);
    }
  });

  it('contains a few signatures per member, sums too: the oldest one is decoded again', () => {
    const { scheme, given, asked } = receiving();
    const sum = scheme.aggregate(root, scheme.individual(1, signatureOf(2)), scheme.individual(2, signatureOf(4)));
    const bytes = new Uint8Array(scheme.encodedBytes(sum));
    scheme.encode(sum, bytes, 0);
    const verifySum = () => expect(scheme.verify(decoded(scheme, root, bytes))).toBe(true);
    for (let time = 0; time < 2; time++) verifySum();
    expect([asked.decoded, given]).toEqual([3, [192, 192]]);
    for (let value = 100; value < 131; value++) scheme.verify(scheme.individual(1, signatureOf(value)));
    verifySum();
    expect(asked.decoded).toBe(34);
    scheme.verify(scheme.individual(1, signatureOf(131)));
    verifySum();
    expect(asked.decoded).toBe(36);
  });
});

describe('uncompressed signatures', () => {
  function uncompressed(verify: SignatureVerifier['verify'] = () => true) {
    const verifier: SignatureVerifier = {
      verify,
      verdicts: (claims) => claims.map((claim) => verify(claim.first, claim.bits, claim.signature)),
    };
    return made(4, { verifier, form: 'uncompressed' });
  }

  it('have 192 bytes, the point itself, and are claimed compressed', () => {
    const { scheme } = uncompressed();
    const own = scheme.individual(1, signatureOf(5));
    expect([scheme.signatureBytes, scheme.encodedBytes(own)]).toEqual([192, 193]);
    const bytes = new Uint8Array(193);
    expect(scheme.encode(own, bytes, 0)).toBe(193);
    expect(bytes.subarray(1)).toEqual(pointOf(5));
    expect(scheme.decode(scheme.tree.leaf(1), bytes.subarray(0, 192), 0)).toEqual({ ok: false, code: 'truncated' });
    expect(scheme.claim(own).signature).toEqual(signatureOf(5));
  });

  it('are decoded once for verification and aggregation, and forwarded without encoding', () => {
    const given: number[] = [];
    const { scheme, asked } = uncompressed((_, __, signature) => given.push(signature.length) > 0);
    const [a, b] = [received(scheme, 1, pointOf(2)), received(scheme, 2, pointOf(4))];
    const before = { ...asked };
    expect(scheme.verify(a) && scheme.verify(b)).toBe(true);
    const sum = scheme.aggregate(root, a, b);
    scheme.encode(sum, new Uint8Array(scheme.encodedBytes(sum)), 0);
    expect(given).toEqual([192, 192]);
    expect([asked.decoded - before.decoded, asked.encoded]).toEqual([2, 0]);
  });

  it('attack: bytes that encode no point of the subgroup never reach a verifier, alone or with others', () => {
    const given: Uint8Array[] = [];
    const { scheme } = uncompressed((_, __, signature) => given.push(signature) > 0);
    const hostile = new Uint8Array(192).fill(0xff);
    const [bad, good] = [received(scheme, 1, hostile), received(scheme, 2, pointOf(4))];
    expect(scheme.claimToVerify(bad)).toBeUndefined();
    expect(scheme.verify(bad)).toBe(false);
    expect(scheme.verifyBatch([bad, good, bad])).toEqual([false, true, false]);
    expect(given).toEqual([pointOf(4)]);
    expect(scheme.verify(scheme.aggregate(root, bad, good))).toBe(false);
    expect(given).toEqual([pointOf(4)]);
    expect(() => scheme.claim(bad)).toThrow(RangeError);
  });

  it('require a scheme whose signature is a single point, and valid signatures of this node', () => {
    const { kernel } = countingKernel();
    const make = (signatureBytes: number) =>
      new MultiSignatureScheme({ tree: new Tree(4), kernel: { ...kernel, signatureBytes }, form: 'uncompressed' });
    expect(() => make(149)).toThrow(RangeError);
    expect(() => make(96).individual(0, new Uint8Array(96).fill(0xff))).toThrow(RangeError);
    expect(() => make(96).individual(0, pointOf(1))).toThrow('signature: expected 96 bytes, got 192');
  });
});

/** Creates a scheme with 40-byte signatures, whose first byte is the period, 3 in this round. */
function short() {
  const { kernel } = countingKernel();
  const refusal = (signature: Uint8Array) => (signature[0] === 3 ? undefined : ('wrong-period' as const));
  const scheme = new MultiSignatureScheme({ tree: new Tree(4), kernel: { ...kernel, signatureBytes: 40, refusal } });
  return { scheme, ofPeriod: (period: number) => new Uint8Array(40).fill(9).with(0, period) };
}

it('signatures of another scheme have a different length', () => {
  const { scheme, ofPeriod } = short();
  expect(scheme.claim(scheme.forge(scheme.tree.leaf(0), undefined)).signature).toEqual(new Uint8Array(40).fill(0xff));
  const own = scheme.individual(1, ofPeriod(3));
  expect([scheme.signatureBytes, scheme.encodedBytes(own)]).toEqual([40, 41]);
  for (const length of [39, 41, 96])
    expect(() => scheme.individual(1, new Uint8Array(length))).toThrow(
      new RangeError(`signature: expected 40 bytes, got ${length}`),
    );
});

it('signatures of another round are refused by code when a peer sends them, and throw when this node does', () => {
  const { scheme, ofPeriod } = short();
  const bytes = new Uint8Array(41);
  expect(scheme.encode(scheme.individual(1, ofPeriod(3)), bytes, 0)).toBe(41);
  expect(scheme.decode(scheme.tree.leaf(1), bytes, 0)).toMatchObject({ ok: true, end: 41 });
  const held = scheme.held;
  expect(scheme.decode(scheme.tree.leaf(1), bytes.with(1, 4), 0)).toEqual({ ok: false, code: 'wrong-period' });
  expect(scheme.held).toBe(held);
  expect(() => scheme.individual(1, ofPeriod(4))).toThrow(
    new RangeError('signature: expected a contribution of this round, got "wrong-period"'),
  );
});

it('on the wire, a contribution is a set and 96 bytes, at any offset, and owns its bytes after decoding', () => {
  const { scheme, own } = made(20);
  const some = [3, 4, 17].map(own).reduce((sum, one) => scheme.aggregate(root, sum, one));
  const bytes = new Uint8Array(scheme.encodedBytes(some) + 12);
  const end = scheme.encode(some, bytes, 5);
  expect(end).toBe(5 + scheme.encodedBytes(some));
  const read = scheme.decode(root, bytes, 5);
  if (!read.ok) throw new Error(read.code);
  expect(read.end).toBe(end);
  bytes.fill(0);
  expect(scheme.claim(read.contribution)).toEqual(scheme.claim(some));
});
