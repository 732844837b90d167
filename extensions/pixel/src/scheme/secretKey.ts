import { joinBytes } from '@tutti/wasm-bls/kernel';
import { size } from './curve.ts';
import { stateBytes, timeBytes } from './randomness.ts';
import { heldPaths, pathTime, type TimePath, timeTreeDepth } from './timeTree.ts';

/** Total length of the suite, the number of sub-keys and the generator's state, bytes. */
export const secretKeyHeaderBytes = 2 + stateBytes;
/** Total length of a sub-key's time and of the field with the length of its hvector, bytes. */
const subkeyHeaderBytes = size.time + 1;

/**
 * A sub-key of a node. The sub-key's holder can sign at the node's time, and derive the sub-keys of all nodes below.
 */
export interface Subkey {
  readonly time: number;
  readonly path: TimePath;
  /** Compressed g2r, hpoly and hvector. The array is a view of the secret key from which it was read. */
  readonly points: Uint8Array;
}

/** The parts of a secret key. */
export interface SecretKeyParts {
  readonly time: number;
  /** State of the generator. The array is a view of the secret key. */
  readonly state: Uint8Array;
  /** Sub-keys in order of time; the first belongs to the key's own time. */
  readonly subkeys: readonly Subkey[];
}

/**
 * Reason why bytes are not a secret key; the codes are stable. `sub-keys` means that the sub-keys are not exactly those
 * of the key's time.
 */
export type SecretKeyFault = 'length' | 'wrong-suite' | 'time-out-of-range' | 'sub-keys';

/** Returns the number of elements of a node's hvector: one for each level below, and one for the message. */
const hvectorLength = (path: TimePath): number => timeTreeDepth - path.length;

const pointBytes = (path: TimePath): number => size.g1 + size.g2 * (1 + hvectorLength(path));

/** Splits a secret key into its parts, without checking its points. */
export function readSecretKey(bytes: Uint8Array, suiteByte: number): SecretKeyParts | SecretKeyFault {
  if (bytes.length < secretKeyHeaderBytes + subkeyHeaderBytes) return 'length';
  if (bytes[0] !== suiteByte) return 'wrong-suite';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const time = view.getUint32(secretKeyHeaderBytes);
  if (time === 0) return 'time-out-of-range';
  const paths = heldPaths(time);
  if (bytes[1] !== paths.length) return 'sub-keys';
  const subkeys: Subkey[] = [];
  let at = secretKeyHeaderBytes;
  for (const path of paths) {
    const end = at + subkeyHeaderBytes + pointBytes(path);
    if (end > bytes.length) return 'length';
    const own = view.getUint32(at);
    if (own !== pathTime(path) || bytes[at + size.time] !== hvectorLength(path)) return 'sub-keys';
    subkeys.push({ time: own, path, points: bytes.subarray(at + subkeyHeaderBytes, end) });
    at = end;
  }
  if (at !== bytes.length) return 'length';
  return { time, state: bytes.subarray(2, secretKeyHeaderBytes), subkeys };
}

/** Encodes a secret key: suite, number of sub-keys, the generator's state, and the sub-keys. */
export function secretKeyBytes(suiteByte: number, state: Uint8Array, subkeys: readonly Subkey[]): Uint8Array {
  const parts = subkeys.flatMap(({ time, path, points }) => [
    timeBytes(time),
    Uint8Array.of(hvectorLength(path)),
    points,
  ]);
  return joinBytes([Uint8Array.of(suiteByte, subkeys.length), state, ...parts]);
}
