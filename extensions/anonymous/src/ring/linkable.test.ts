import { insecureSeed } from '@tutti/wasm-bls';
import { expect, it } from 'vitest';
import { Fl, hashToGroup, readElement, readScalar } from './group.ts';
import { identityKeyGen } from './identityKey.ts';
import { challengeChain, linkable } from './linkable.ts';
import { decodeRing } from './ring.ts';

it('the tag is the secret times the base hashed from ring and event, as in section 4 of Liu, Wei and Wong', () => {
  const pairs = [1, 2].map((fill) => identityKeyGen(insecureSeed('identity', 1, fill)));
  const read = decodeRing(pairs.map(({ publicKey }) => publicKey));
  if (!read.ok) throw new Error(read.code);
  const event = Uint8Array.of(1);
  const signature = linkable.sign(read.ring, pairs[1]!.secretKey, event, Uint8Array.of(2), new Uint8Array(32));
  const base = hashToGroup(
    'TUTTI_RING_LINKABLE_BASE_ristretto255_XMD:SHA-512_R255MAP_RO_',
    read.ring.context(1, event),
  );
  const tag = readElement(signature.slice(32, 64));
  expect(typeof tag !== 'string' && tag.equals(base.multiply(readScalar(pairs[1]!.secretKey)!))).toBe(true);
  expect(Fl.ORDER).toBe(2n ** 252n + 27742317777372353535851937790883648493n);
});

it('the challenges return to the first one round the ring, and do not after a changed response', () => {
  const pairs = [1, 2, 3].map((fill) => identityKeyGen(insecureSeed('identity', 1, fill)));
  const read = decodeRing(pairs.map(({ publicKey }) => publicKey));
  if (!read.ok) throw new Error(read.code);
  const [event, message] = [Uint8Array.of(1), Uint8Array.of(2)];
  const signature = linkable.sign(read.ring, pairs[1]!.secretKey, event, message, new Uint8Array(32));
  const chain = challengeChain(read.ring, event, message, signature)!;
  expect(chain).toHaveLength(4);
  expect(chain[3]).toEqual(chain[0]);
  expect(chain[0]).toEqual(signature.slice(0, 32));

  // The change affects the response of the second member; the responses follow c_0 and the tag.
  const changed = Uint8Array.from(signature);
  changed[64 + 32]! ^= 1;
  const broken = challengeChain(read.ring, event, message, changed)!;
  expect(broken.slice(0, 2)).toEqual(chain.slice(0, 2));
  for (const at of [2, 3]) expect(broken[at]).not.toEqual(chain[at]);
  expect(challengeChain(read.ring, event, message, signature.slice(1))).toBeUndefined();
});
