import { expect, it } from 'vitest';
import { insecureIdentities, ringOf } from '../../tests/rings.ts';
import { Fl, hashToGroup, readElement, readScalar } from './group.ts';
import { challengeChain, linkable } from './linkable.ts';

const identities = insecureIdentities(3);
const ring = ringOf(identities);
const { secretKey } = identities[1]!;
const [event, message] = [Uint8Array.of(1), Uint8Array.of(2)];
const signature = linkable.sign(ring, secretKey, event, message, new Uint8Array(32));

it('the tag is the secret times the base hashed from ring and event, as in section 4 of Liu, Wei and Wong', () => {
  const base = hashToGroup('TUTTI_RING_LINKABLE_BASE_ristretto255_XMD:SHA-512_R255MAP_RO_', ring.context(1, event));
  const tag = readElement(signature.slice(32, 64));
  expect(typeof tag !== 'string' && tag.equals(base.multiply(readScalar(secretKey)!))).toBe(true);
  expect(Fl.ORDER).toBe(2n ** 252n + 27742317777372353535851937790883648493n);
});

it('the challenges return to the first one round the ring, and do not after a changed response', () => {
  const chain = challengeChain(ring, event, message, signature)!;
  expect(chain).toHaveLength(4);
  expect(chain[3]).toEqual(chain[0]);
  expect(chain[0]).toEqual(signature.slice(0, 32));

  // The change affects the response of the second member; the responses follow c_0 and the tag.
  const changed = Uint8Array.from(signature);
  changed[64 + 32]! ^= 1;
  const broken = challengeChain(ring, event, message, changed)!;
  expect(broken.slice(0, 2)).toEqual(chain.slice(0, 2));
  for (const at of [2, 3]) expect(broken[at]).not.toEqual(chain[at]);
  expect(challengeChain(ring, event, message, signature.slice(1))).toBeUndefined();
});
