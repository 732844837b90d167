import { createPrivateKey, createPublicKey, diffieHellman, hkdfSync } from 'node:crypto';
import { toHex } from '@tutti/core/input';
import { expect, it } from 'vitest';
import { networkKey } from '../channel/networkKey.ts';
import { nobleCrypto } from '../crypto/noble.ts';
import { nodeCrypto } from '../crypto/node.ts';
import { proveName } from './joinProof.ts';

const [server, member] = [1, 2].map((fill) => networkKey(nodeCrypto, new Uint8Array(32).fill(fill)));
const challenge = { key: toHex(server!.publicKey), nonce: '0f'.repeat(16) };

/** Computes the expected proof with Node's own X25519 and HKDF. */
function expected(): string {
  const coded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
  const okp = { kty: 'OKP', crv: 'X25519' };
  const publicKey = createPublicKey({ key: { ...okp, x: coded(server!.publicKey) }, format: 'jwk' });
  const { publicKey: x, secret: d } = member!;
  const privateKey = createPrivateKey({ key: { ...okp, x: coded(x), d: coded(d) }, format: 'jwk' });
  const info = Buffer.concat([Buffer.from('tutti signalling join v1\0'), server!.publicKey, x, Buffer.from('room')]);
  const salt = Buffer.from(challenge.nonce, 'hex');
  return toHex(new Uint8Array(hkdfSync('sha256', diffieHellman({ privateKey, publicKey }), salt, info, 32)));
}

it.each([nodeCrypto, nobleCrypto])('a proof covers server, member and room, in this order: %#', (crypto) => {
  expect(proveName(crypto, member!.secret, challenge, 'room')).toBe(expected());
});
