import { existsSync, statSync } from 'node:fs';
import { WorldError } from '@tutti/core/input';
import { pointedTo, requireNoMount } from '@tutti/transports/files';

/** Files of a certifying member, next to its key file. */
interface KeyPlaces {
  readonly signedLog: string;
  readonly certificateFolder: string;
}

/**
 * Returns the places of a key's files. They are named after the key file itself, even if the path is a symbolic link to
 * it, so that a key has one signed log.
 *
 * @throws WorldError `ambiguous-names` for a key file with a second hard link or mounted as a single file, and for a
 * signed log at the link's name.
 */
export function placesOfKey(key: string): KeyPlaces {
  const place = pointedTo(key);
  requireNoMount(place);
  const { nlink } = statSync(key);
  if (nlink > 1)
    throw new WorldError(
      'ambiguous-names',
      `${key}: expected a key file with one name, got ${nlink} names (hard links), each of which would have its own signed log; remove all names but one`,
    );
  const [signedLog, atLink] = [`${place}.signed`, `${key}.signed`];
  if (existsSync(atLink) && pointedTo(atLink) !== pointedTo(signedLog))
    throw new WorldError(
      'ambiguous-names',
      `${key}: expected its signed log at ${signedLog}, got a log at ${atLink}; move that log to the expected path if no log exists there`,
    );
  return { signedLog, certificateFolder: `${place}.certificates` };
}
