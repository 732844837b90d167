import { fromHex } from '@tutti/core/input';
import type { Bls } from '@tutti/wasm-bls';

/** What a document says of its multi-signature. */
export interface Signed {
  readonly message: string;
  readonly signature: string;
  readonly bitset: string;
}

/** Whether the document's signature is that of the signers it claims, by a kernel and by nothing of the command's own. */
export function isSigned(bls: Bls, { message, signature, bitset }: Signed, publicKeys: readonly Uint8Array[]): boolean {
  const bits = Buffer.from(bitset, 'hex');
  return bls.fastAggregateVerify(
    publicKeys.filter((_, b) => ((bits[b >> 3]! >> (b & 7)) & 1) === 1),
    new TextEncoder().encode(message),
    fromHex(signature, 96)!,
  );
}
