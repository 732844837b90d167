import { readFileSync } from 'node:fs';
import { fromHex } from '@tutti/core/input';
import type { Bls } from '@tutti/wasm-bls';

/** Fields of a document that describe its multi-signature. */
export interface Signed {
  readonly message: string;
  readonly signature: string;
  readonly bitset: string;
}

/** Returns the public keys in the file that a cluster writes. */
export const publicKeysIn = (path: string): Uint8Array[] =>
  JSON.parse(readFileSync(path, 'utf8')).map((key: string) => fromHex(key, 48)!);

/** Returns whether a document's signature is that of its signers, by a BLS library and no other code. */
export function isSigned(bls: Bls, { message, signature, bitset }: Signed, publicKeys: readonly Uint8Array[]): boolean {
  const bits = Buffer.from(bitset, 'hex');
  return bls.fastAggregateVerify(
    publicKeys.filter((_, b) => ((bits[b >> 3]! >> (b & 7)) & 1) === 1),
    new TextEncoder().encode(message),
    fromHex(signature, 96)!,
  );
}
