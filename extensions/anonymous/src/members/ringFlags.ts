import { fromHex, WorldError } from '@tutti/core/input';
import { badValue, type Command, choiceFlag, counted, type FlagReader } from '@tutti/node-cli/command';
import type { Ring, RingMark, RingScheme } from '../ring.ts';
import { readRing } from './identityFile.ts';
import { type RingSchemeName, ringSchemeNames, ringSchemes } from './openRings.ts';

/** Flags that identify a ring, an event and a kind of signatures. */
export interface RingFlags {
  readonly ring: string;
  readonly event: string;
  readonly signatures: RingSchemeName;
}

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

export function openedRing({ ring, event, signatures }: RingFlags): OpenedRing {
  return { scheme: ringSchemes[signatures], ring: readRing(ring), event: new TextEncoder().encode(event) };
}

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
 * @throws WorldError `invalid-signature`.
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
  throw new WorldError('invalid-signature', `invalid: ${label}: ${why}`);
}
