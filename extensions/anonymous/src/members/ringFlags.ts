import { EnvironmentError, fromHex } from '@tutti/core/input';
import { badValue, type Command, choiceFlag, counted, type FlagReader, readWhole } from '@tutti/node-cli/command';
import type { Ring, RingMark, RingScheme } from '../ring.ts';
import { parsedOrUndefined } from './json.ts';
import { openRing, type RingSchemeName, ringSchemeNames, ringSchemes } from './openRings.ts';

/** Flags that identify a ring, an event and a kind of signatures. */
export interface RingFlags {
  readonly ring: string;
  readonly event: string;
  readonly signatures: RingSchemeName;
}

/** Adds the flags of a ring to a command. */
export function withRingFlags(command: Command): Command {
  return command
    .requiredOption('--ring <file>', 'public keys of the members: a JSON array, in the same order for all users')
    .requiredOption('--event <text>', 'name of the event, in which signatures by one member can be linked')
    .option('--signatures <name>', 'linkable or traceable', choiceFlag('--signatures', ringSchemeNames), 'traceable');
}

interface OpenedRing {
  readonly scheme: RingScheme;
  readonly ring: Ring;
  readonly event: Uint8Array;
}

/**
 * Opens the ring that the flags identify.
 *
 * @throws EnvironmentError `cannot-read`, `not-utf8` or `bad-ring`.
 */
export function openedRing({ ring, event, signatures }: RingFlags): OpenedRing {
  return { scheme: ringSchemes[signatures], ring: readRing(ring), event: new TextEncoder().encode(event) };
}

/**
 * Reads a ring from a file: a JSON array of public keys with 64 hexadecimal digits each, in the order on which all
 * members agree.
 */
function readRing(path: string): Ring {
  const list = parsedOrUndefined(readWhole(path));
  const texts: readonly unknown[] = Array.isArray(list) ? list : [];
  const keys = texts.flatMap((text) => fromHex(text, 32) ?? []);
  if (texts.length === 0 || keys.length < texts.length)
    throw new EnvironmentError(
      'bad-ring',
      `${path}: expected a JSON array of public keys, 64 hexadecimal digits each; 'tutti anonymous keygen' prints one`,
    );
  return openRing(keys, path);
}

/** Returns the reader of a flag whose value is a signature in hexadecimal digits. */
export const signatureFlag =
  (flag: string): FlagReader<Uint8Array> =>
  (text) => {
    const bytes = fromHex(text);
    if (bytes === undefined) throw badValue(flag, 'hexadecimal digits, an even number', text);
    return bytes;
  };

/**
 * Returns the mark of a valid signature.
 *
 * @param label name of the signature in the error message.
 * @throws EnvironmentError `invalid-signature`.
 */
export function markOf(
  { scheme, ring, event }: OpenedRing,
  message: string,
  signature: Uint8Array,
  label = 'the signature',
): RingMark {
  const verified = scheme.verify(ring, event, new TextEncoder().encode(message), signature);
  if (verified.ok) return verified.mark;
  const why =
    verified.code === 'length'
      ? `expected ${scheme.signatureBytes(ring.size)} bytes for ${counted(ring.size, 'member')}, got ${signature.length}`
      : verified.code === 'equation'
        ? 'no member of this ring made it for this event and message'
        : `it has an invalid ${verified.code}`;
  throw new EnvironmentError('invalid-signature', `invalid: ${label}: ${why}`);
}
