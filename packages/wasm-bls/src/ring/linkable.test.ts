import { expect, it } from 'vitest';
import { Fl, hashToGroup, readElement, readScalar } from './group.ts';
import { identityKeyGen } from './identity-key.ts';
import { linkable } from './linkable.ts';
import { decodeRing } from './ring.ts';

it('the tag is the secret times the base hashed from ring and event, as in section 4 of Liu, Wei and Wong', () => {
  const pairs = [1, 2].map((fill) => identityKeyGen(new Uint8Array(32).fill(fill)));
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
