import { joinBytes } from '@tutti/wasm-bls/kernel';
import { size } from './curve.ts';
import { stateBytes, timeBytes } from './randomness.ts';
import { heldPaths, lastTime, pathTime, type TimePath, timeTreeDepth } from './timeTree.ts';

/** Suite, number of sub-keys, the generator's state. */
export const secretKeyHeaderBytes = 2 + stateBytes;
/** Time, length of hvector. */
const subkeyHeaderBytes = size.time + 1;

/** A sub-key of a node: who has it can sign at the node's time, and make the sub-keys of all nodes below. */
export interface Subkey {
  readonly time: number;
  readonly path: TimePath;
  /** g2r, hpoly and hvector, compressed; a view on the secret key that it was read from. */
  readonly points: Uint8Array;
}

/** A secret key, taken apart. */
export interface SecretKeyParts {
  readonly time: number;
  /** A view. */
  readonly state: Uint8Array;
  /** By time; the first is the key's own. */
  readonly subkeys: readonly Subkey[];
}

/** Why bytes are not a secret key: stable codes. `sub-keys`: not exactly those of its time. */
export type SecretKeyFault = 'length' | 'wrong-suite' | 'time-out-of-range' | 'sub-keys';

/** Elements of a node's hvector: a generator for each level below, and the message's. */
const hvectorLength = (path: TimePath): number => timeTreeDepth - path.length;

const pointBytes = (path: TimePath): number => size.g1 + size.g2 * (1 + hvectorLength(path));

/** Takes a secret key apart without looking at its points. */
export function readSecretKey(bytes: Uint8Array, suiteByte: number): SecretKeyParts | SecretKeyFault {
  if (bytes.length < secretKeyHeaderBytes + subkeyHeaderBytes) return 'length';
  if (bytes[0] !== suiteByte) return 'wrong-suite';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const time = view.getUint32(secretKeyHeaderBytes);
  if (time < 1 || time > lastTime) return 'time-out-of-range';
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

/** The bytes of a secret key. */
export function secretKeyBytes(suiteByte: number, state: Uint8Array, subkeys: readonly Subkey[]): Uint8Array {
  const parts = subkeys.flatMap(({ time, path, points }) => [
    timeBytes(time),
    Uint8Array.of(hvectorLength(path)),
    points,
  ]);
  return joinBytes([Uint8Array.of(suiteByte, subkeys.length), state, ...parts]);
}
