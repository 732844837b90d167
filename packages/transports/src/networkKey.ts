import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject, randomBytes } from 'node:crypto';

/** Bytes of an X25519 key, secret or public (RFC 7748). */
export const NETWORK_KEY_BYTES = 32;

// RFC 8410: what stands before the 32 raw bytes in the DER form of an X25519 secret key.
const SECRET_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** A node's identity on the network: an X25519 key pair, beside its BLS key and bound to it in the registry. */
export interface NetworkKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly secret: KeyObject;
}

/** @param secret 32 bytes; fresh random ones when not given. */
export function networkKey(secret: Uint8Array = randomBytes(NETWORK_KEY_BYTES)): NetworkKey {
  assertLength('secret', secret);
  const key = createPrivateKey({ key: Buffer.concat([SECRET_PREFIX, secret]), format: 'der', type: 'pkcs8' });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return { publicKey: new Uint8Array(Buffer.from(x!, 'base64url')), secret: key };
}

/**
 * The 32 bytes that both ends, and nobody else, can compute; undefined when the public key is one of the few of low order,
 * with which everybody could.
 */
export function sharedSecret(secret: KeyObject, publicKey: Uint8Array): Buffer | undefined {
  assertLength('publicKey', publicKey);
  // As JWK and not as DER: Node reads it seven times faster, and a node meets every peer once.
  const x = Buffer.from(publicKey).toString('base64url');
  const theirs = createPublicKey({ key: { kty: 'OKP', crv: 'X25519', x }, format: 'jwk' });
  try {
    return diffieHellman({ privateKey: secret, publicKey: theirs });
  } catch {
    return undefined;
  }
}

function assertLength(label: string, bytes: Uint8Array): void {
  if (bytes.length !== NETWORK_KEY_BYTES)
    throw new RangeError(`${label}: expected ${NETWORK_KEY_BYTES} bytes, got ${bytes.length}`);
}
