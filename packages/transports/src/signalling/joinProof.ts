import { networkKeyBytes } from '@tutti/core';
import { concat, fromHex, toHex } from '@tutti/core/input';
import type { CryptoSuite, KeyAgreement } from '../crypto/suite.ts';
import type { JoinChallenge } from './messages.ts';

/** Length of a challenge's nonce, bytes. */
const joinNonceBytes = 16;
/** Length of a proof, bytes. */
const joinProofBytes = 32;

/** Prefix that restricts the shared secret of a member and a server to this purpose. */
const joinDomain = new TextEncoder().encode('tutti signalling join v1\0');

/**
 * Proves to a server that a member has the secret key of its name, which is a public key. The proof is derived with
 * HKDF-SHA256 from the shared secret of the server's key and the member's key, with the nonce as salt, over both keys
 * and the room.
 *
 * The proof is bound to the server's key, not to the server's address. A malicious server can therefore forward another
 * server's challenge to a joining member, and use the proof to join the other server's room of the same name under the
 * member's name. The malicious server still cannot open sealed signals.
 *
 * @param secret X25519 secret key, 32 bytes.
 * @returns proof, 64 hexadecimal digits; undefined if the server's key is of low order.
 */
export function proveName(
  crypto: CryptoSuite,
  secret: Uint8Array,
  { key, nonce }: JoinChallenge,
  room: string,
): string | undefined {
  const agreement = crypto.keyAgreement(secret);
  const serverKey = fromHex(key, networkKeyBytes)!;
  return proof(crypto, agreement.sharedSecret(serverKey), nonce, serverKey, agreement.publicKey, room);
}

/** The server's side of {@link proveName}: a key for the server's lifetime, and a nonce per connection. */
export class NameCheck {
  readonly #crypto: CryptoSuite;
  readonly #agreement: KeyAgreement;
  readonly #key: Uint8Array;

  constructor(crypto: CryptoSuite) {
    this.#crypto = crypto;
    this.#agreement = crypto.keyAgreement(crypto.randomBytes(networkKeyBytes));
    this.#key = this.#agreement.publicKey;
  }

  /** Returns a challenge with a new nonce. */
  challenge(): JoinChallenge {
    return { key: toHex(this.#key), nonce: toHex(this.#crypto.randomBytes(joinNonceBytes)) };
  }

  /**
   * Returns whether `given`, the answer to `nonce`, proves that the member has the secret key of its name (64
   * hexadecimal digits).
   */
  holds(nonce: string, room: string, member: string, given: string): boolean {
    const key = fromHex(member, networkKeyBytes)!;
    const expected = proof(this.#crypto, this.#agreement.sharedSecret(key), nonce, this.#key, key, room);
    return expected === given;
  }
}

function proof(
  crypto: CryptoSuite,
  shared: Uint8Array | undefined,
  nonce: string,
  serverKey: Uint8Array,
  memberKey: Uint8Array,
  room: string,
): string | undefined {
  if (shared === undefined) return undefined;
  const info = concat(joinDomain, serverKey, memberKey, new TextEncoder().encode(room));
  return toHex(crypto.hkdfSha256(shared, fromHex(nonce, joinNonceBytes)!, info, joinProofBytes));
}
