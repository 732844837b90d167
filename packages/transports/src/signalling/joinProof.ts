import { concat, fromHex, toHex } from '@tutti/core/input';
import { networkKeyBytes } from '@tutti/core/registry';
import type { CryptoSuite, KeyAgreement } from '../crypto/suite.ts';
import type { JoinChallenge } from './messages.ts';

/** Bytes of a challenge's nonce, and of a proof. */
const joinNonceBytes = 16;
const joinProofBytes = 32;

/** What a member and a server agree on by X25519 is used for this and for nothing else. */
const joinDomain = new TextEncoder().encode('tutti signalling join v1\0');

/**
 * Shows a server that a member has the secret of the key that it is named by: HKDF-SHA256 of what the server's key and
 * the member's share, salted with the nonce, of the server's key, the member's and the room.
 *
 * It binds the server's key, not its address: a server that a member joins can pass another server's challenge on, and
 * so stand in that other server's room of the same name under the member's name. It still opens nothing that is sealed.
 *
 * @param secret X25519, 32 bytes.
 * @returns 64 hexadecimal digits; undefined when the server's key is of low order.
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

/** The server's side of {@link proveName}: a key that lives as long as the server, and a nonce a connection. */
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
   * Whether `given` shows that whoever was asked `nonce` has the secret of `member`, a name of 64 hexadecimal digits.
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
