import { networkKeyBytes } from '@tutti/core';
import { concat, fromHex, toHex } from '@tutti/core/input';
import type { CryptoSuite, KeyAgreement } from '../crypto/suite.ts';
import type { JoinChallenge } from './messages.ts';

/** Length of a challenge's nonce, bytes. */
const joinNonceBytes = 16;
const joinProofBytes = 32;

/** Prefix that binds the shared secret of a member and a server to this purpose. */
const joinDomain = new TextEncoder().encode('tutti signalling join v1\0');

/**
 * Proves to a server that a member has the secret of the key that is its name. The proof is HKDF-SHA256 of the shared
 * secret of the server's key and the member's key, salted with the nonce, over both keys and the room.
 *
 * It binds the server's key, not its address. A server that a member joins can forward another server's challenge, and
 * thus join that server's room of the same name under the member's name. It still cannot open sealed signals.
 *
 * @param secret X25519 secret key, 32 bytes.
 * @returns 64 hexadecimal digits; undefined if the server's key is of low order.
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

  challenge(): JoinChallenge {
    return { key: toHex(this.#key), nonce: toHex(this.#crypto.randomBytes(joinNonceBytes)) };
  }

  /**
   * Returns whether `given`, the answer to `nonce`, proves that the member has the secret of its name (64 hexadecimal
   * digits).
   */
  holds(nonce: string, room: string, member: string, given: string): boolean {
    const key = fromHex(member, networkKeyBytes)!;
    const expected = proof(this.#crypto, this.#agreement.sharedSecret(key), nonce, this.#key, key, room);
    return expected !== undefined && expected === given;
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
