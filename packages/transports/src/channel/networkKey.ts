import { requireBytes } from '@tutti/core/input';
import { networkKeyBytes } from '@tutti/core/registry';
import type { CryptoSuite } from '../crypto/suite.ts';
import { requireSuite } from '../crypto/suite.ts';

/** A node's identity on the network: an X25519 key pair, beside its BLS key and bound to it in the registry. */
export interface NetworkKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 32 bytes. */
  readonly secret: Uint8Array;
}

/**
 * A key pair for the network.
 *
 * @param secret 32 bytes; fresh random ones when not given.
 * @throws RangeError unless the secret has 32 bytes.
 */
export function networkKey(crypto: CryptoSuite, secret?: Uint8Array): NetworkKey {
  requireSuite(crypto);
  const own = secret ?? crypto.randomBytes(networkKeyBytes);
  requireBytes('secret', own);
  return { publicKey: crypto.keyAgreement(own).publicKey, secret: own };
}
