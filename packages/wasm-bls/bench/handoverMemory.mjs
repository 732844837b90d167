/**
 * Memory that a pool shares with a worker, as words: whose turn it is, how many claims there are, and for each its first
 * signer and the lengths of its bits and its signature. Then come the bytes; verdicts take their place.
 */
export const poolsTurn = 0;
export const workersTurn = 1;
export const memoryBytes = 1 << 16;
const mostClaims = 64;
const headBytes = 4 * (2 + 3 * mostClaims);

export const sharedViews = (memory) => ({ words: new Int32Array(memory), bytes: new Uint8Array(memory, headBytes) });

export function writeClaims({ words, bytes }, claims) {
  let at = 0;
  words[1] = claims.length;
  for (const [i, { first, bits, signature }] of claims.entries()) {
    words.set([first, bits.length, signature.length], 2 + 3 * i);
    bytes.set(bits, at);
    bytes.set(signature, at + bits.length);
    at += bits.length + signature.length;
  }
}

/** The claims where they lie: the kernel copies them into its own memory. */
export function readClaims({ words, bytes }) {
  let at = 0;
  const next = (length) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  return Array.from({ length: words[1] }, (_, i) => ({
    first: words[2 + 3 * i],
    bits: next(words[3 + 3 * i]),
    signature: next(words[4 + 3 * i]),
  }));
}

/** Hands the turn over. */
export function turnTo({ words }, turn) {
  Atomics.store(words, 0, turn);
  Atomics.notify(words, 0);
}
