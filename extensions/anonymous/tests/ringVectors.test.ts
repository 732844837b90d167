import { readFileSync } from 'node:fs';
import { ristretto255, ristretto255_hasher } from '@noble/curves/ed25519.js';
import { fromHex, toHex } from '@tutti/core/input';
import { expect, it } from 'vitest';
import { decodeRing, identityKeyGen, linkable, traceable } from '../src/ring.ts';

/**
 * Ring-signature test vectors from `ring-signatures.json`, on which all versions must agree byte for byte. The test
 * recreates the signatures of the file with our code. The test also verifies the signatures with the README's formulas,
 * written out below with the library's group and without our code.
 */
interface Vector {
  readonly scheme: 'linkable' | 'traceable';
  readonly seeds: readonly string[];
  readonly keys: readonly string[];
  readonly signer: number;
  readonly event: string;
  readonly message: string;
  readonly entropy: string;
  readonly signature: string;
  readonly tags: readonly string[];
}

const vectors: readonly Vector[] = JSON.parse(readFileSync(new URL('./ring-signatures.json', import.meta.url), 'utf8'));
const schemes = { linkable, traceable };
const bytes = (hex: string) => fromHex(hex, hex.length / 2)!;

const { Point } = ristretto255;
type Element = InstanceType<typeof Point>;
const L = Point.Fn.ORDER;
const mod = (value: bigint) => ((value % L) + L) % L;
const times = (k: bigint, p: Element) => (k === 0n ? Point.ZERO : p.multiply(k));
const element = (part: Buffer) => Point.fromBytes(Uint8Array.from(part));
const scalar = (part: Buffer) => BigInt(`0x${Buffer.from(part).reverse().toString('hex')}`);
const hashToGroup = (domain: string, ...parts: Uint8Array[]) =>
  ristretto255_hasher.hashToCurve(Uint8Array.from(Buffer.concat(parts)), { DST: domain });
const hashToScalar = (domain: string, ...parts: Uint8Array[]) =>
  ristretto255_hasher.hashToScalar(Uint8Array.from(Buffer.concat(parts)), { DST: domain });
const sha512 = async (...parts: Uint8Array[]) =>
  Buffer.from(await crypto.subtle.digest('SHA-512', Uint8Array.from(Buffer.concat(parts))));
const uint32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value].map((one) => one & 255));

/** Computes a signature's tags with the README's formulas, and returns undefined if the signature is invalid. */
async function tagsByReadme({ scheme, keys, event, message, signature }: Vector): Promise<string[] | undefined> {
  const n = keys.length;
  const ys = keys.map((key) => Point.fromBytes(bytes(key)));
  const label = Buffer.from('tutti ring v1\0', 'ascii');
  const [on, signed] = [bytes(event), Buffer.from(signature, 'hex')];
  const context = await sha512(
    label,
    Uint8Array.of(scheme === 'linkable' ? 1 : 2),
    uint32(n),
    ...keys.map(bytes),
    uint32(on.length),
    on,
  );
  const name = await sha512(bytes(message));
  const part = (i: number) => signed.subarray(32 * i, 32 * i + 32);
  if (scheme === 'linkable') {
    const h = hashToGroup('TUTTI_RING_LINKABLE_BASE_ristretto255_XMD:SHA-512_R255MAP_RO_', context);
    const tag = element(part(1));
    let c = scalar(part(0));
    for (let i = 0; i < n; i++) {
      const s = scalar(part(2 + i));
      const left = times(s, Point.BASE).add(times(c, ys[i]!));
      const right = times(s, h).add(times(c, tag));
      c = hashToScalar('TUTTI_RING_LINKABLE_CHALLENGE_', context, part(1), name, left.toBytes(), right.toBytes());
    }
    return c === scalar(part(0)) ? [toHex(Uint8Array.from(part(1)))] : undefined;
  }
  const h = hashToGroup('TUTTI_RING_TRACEABLE_BASE_ristretto255_XMD:SHA-512_R255MAP_RO_', context);
  const a0 = hashToGroup('TUTTI_RING_TRACEABLE_MESSAGE_ristretto255_XMD:SHA-512_R255MAP_RO_', context, name);
  const a1 = element(part(0));
  const sigma = ys.map((_, i) => a0.add(times(BigInt(i + 1), a1)));
  const cs = ys.map((_, i) => scalar(part(1 + i)));
  const zs = ys.map((_, i) => scalar(part(1 + n + i)));
  const as = ys.map((y, i) => times(zs[i]!, Point.BASE).add(times(cs[i]!, y)).toBytes());
  const bs = sigma.map((tag, i) => times(zs[i]!, h).add(times(cs[i]!, tag)).toBytes());
  const c = hashToScalar('TUTTI_RING_TRACEABLE_CHALLENGE_', context, a0.toBytes(), part(0), ...as, ...bs);
  return c === mod(cs.reduce((sum, one) => sum + one, 0n)) ? sigma.map((tag) => toHex(tag.toBytes())) : undefined;
}

it.each(vectors.map((vector) => [`${vector.scheme}, ${vector.keys.length} members`, vector] as const))(
  'ring signature, %s: signs to the same bytes, and verifies by the formulas of the README',
  async (_, vector) => {
    const pairs = vector.seeds.map((seed) => identityKeyGen(bytes(seed)));
    expect(pairs.map(({ publicKey }) => toHex(publicKey))).toEqual(vector.keys);
    const read = decodeRing(pairs.map(({ publicKey }) => publicKey));
    if (!read.ok) throw new Error(read.code);
    const scheme = schemes[vector.scheme];
    const [event, message, entropy] = [vector.event, vector.message, vector.entropy].map(bytes);
    const signature = scheme.sign(read.ring, pairs[vector.signer]!.secretKey, event!, message!, entropy!);
    expect(toHex(signature)).toBe(vector.signature);
    const verified = scheme.verify(read.ring, event!, message!, signature);
    expect(verified.ok && verified.mark.tags.map(toHex)).toEqual(vector.tags);
    expect(await tagsByReadme(vector)).toEqual(vector.tags);
    expect(await tagsByReadme({ ...vector, message: '00' })).toBeUndefined();
  },
);
