import * as kernel from '../kernel/tutti_bls.js';

/** Thirty-two ones, a text, and the text's signature under that secret key, as noble-curves gives it. */
const secretKey = new Uint8Array(32).fill(1);
const message = new TextEncoder().encode('tutti');
const signature = bytesOf(
  '92c1dca96d3688850ca11aba9f7b09a47d5b25ddbe6355ffcbf676b39e36fcdc23b32116688d773441a7cdb24033f50b' +
    '0e5c3adef2c26502d69b679eb06ebcc74b503999190e42e5b1f6f11ff9d11860e9572c1a75a922c2d6ddb748d5323d84',
);

/**
 * Whether the started kernel signs and verifies as it must, in 3 ms: a key in G1, hashing and a signature in G2, and a
 * pairing that holds, and one that does not. Say a kernel with SIMD was handed in for one without, and the engine rounds
 * where the kernel counts on none: it starts, and all its answers are wrong.
 */
export function answersRight(): boolean {
  try {
    const key = kernel.public_key(secretKey);
    const signed = kernel.sign(secretKey, message);
    return (
      signed.length === signature.length &&
      signed.every((byte, at) => byte === signature[at]) &&
      kernel.fast_aggregate_verify(key, message, signature) &&
      !kernel.fast_aggregate_verify(key, secretKey, signature)
    );
  } catch {
    // A trap, or a door that is missing.
    return false;
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g)!, (digits) => Number.parseInt(digits, 16));
}
