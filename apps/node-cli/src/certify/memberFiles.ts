import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Certified, SignedLog, SignedStatement } from '@tutti/certificates/groups';
import type { SignedLogFile } from '@tutti/certificates/log';
import { fromHex, parseJson, toHex, WorldError } from '@tutti/core/input';
import { pointedTo, requireNoMount } from '@tutti/transports/files';
import { readWhole, writeWhole } from '../output/files.ts';
import { systemCode } from '../output/patientOutput.ts';

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

/** A signed log whose file can be checked, as returned by `openSignedLog`. */
export type CheckedLog = SignedLog & Pick<SignedLogFile, 'check'>;

/**
 * A signed log that knows whether its file can be written. While writing fails, nothing is signed. Each statement, and
 * each query of the failure, tries again.
 */
export class WatchedLog implements SignedLog {
  readonly #log: CheckedLog;
  readonly #path: string;
  readonly #report: (line: string) => void;
  #failure: WorldError | undefined;

  /**
   * Watches a log.
   *
   * @param report called with one line, including its line break, when writing fails and when it works again.
   */
  constructor(log: CheckedLog, path: string, report: (line: string) => void) {
    this.#log = log;
    this.#path = path;
    this.#report = report;
  }

  /**
   * Tries again to write if that failed.
   *
   * @returns the reason why nothing can be signed; undefined if the log works.
   */
  failure(): WorldError | undefined {
    if (this.#failure === undefined) return undefined;
    try {
      this.#log.check();
    } catch (error) {
      return this.#fail(error as Error);
    }
    this.#failure = undefined;
    this.#report(`tutti: ${this.#path} is writable again; this member resumes signing\n`);
    return undefined;
  }

  /**
   * Records a statement.
   *
   * @throws WorldError `signed-log-failed`, and as the log does.
   */
  record(statement: SignedStatement): void {
    try {
      this.#log.record(statement);
    } catch (error) {
      if (error instanceof RangeError || (error instanceof WorldError && error.code === 'already-signed')) throw error;
      throw this.#fail(error as Error);
    }
    // A statement that was known is not written, so whether writing works is still unknown.
    this.failure();
  }

  close(): void {
    this.#log.close();
  }

  #fail(cause: Error): WorldError {
    const what = `${this.#path}: cannot be written (${systemCode(cause) ?? cause.message}), so this member has stopped signing`;
    if (this.#failure === undefined) this.#report(`tutti: ${what}; free space on its disk to resume\n`);
    this.#failure = new WorldError('signed-log-failed', `${what}; free space on its disk`, { cause });
    return this.#failure;
  }
}

type StoredCertificate = Pick<Certified, 'bytes' | 'certificate' | 'height'>;

const namePattern = /^[0-9a-f]{64}$/;

/** Maximum length of a file, bytes: a message, a certificate of 2^20 members, and the JSON around them. */
const maxFileBytes = 2 ** 19;

/** Folder with a limited number of certificates: one file each, named after its message. */
export class CertificateFolder {
  readonly #folder: string;
  readonly #max: number;
  readonly #names: Set<string>;

  /**
   * Creates the folder if it does not exist.
   *
   * @throws WorldError `cannot-write` if that fails.
   */
  constructor(folder: string, max: number) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      throw new WorldError('cannot-write', `${folder}: the folder cannot be created (${code})`, { cause });
    }
    this.#folder = folder;
    this.#max = max;
    this.#names = new Set(
      readdirSync(folder, { withFileTypes: true })
        // Opening a pipe would block the process.
        .filter((one) => one.isFile() && namePattern.test(one.name))
        .map(({ name }) => ({ name, status: statSync(join(folder, name)) }))
        .filter(({ status }) => status.size <= maxFileBytes)
        .map(({ name, status }) => ({ name, age: status.mtimeMs }))
        .sort((a, b) => a.age - b.age)
        .map(({ name }) => name),
    );
  }

  /** Returns the certificates of the folder, oldest first; files of another form are ignored. */
  *all(): Iterable<StoredCertificate> {
    for (const name of [...this.#names].slice(-this.#max)) {
      const one = parsed(readWhole(join(this.#folder, name)));
      if (one !== undefined) yield one;
    }
  }

  /** Writes a certificate atomically, and removes the oldest ones above the limit. */
  keep({ name, bytes, certificate, height }: Certified): void {
    const named = height === undefined ? {} : { height: String(height) };
    const document = { message: toHex(bytes), certificate: toHex(certificate), ...named };
    writeWhole(join(this.#folder, name), `${JSON.stringify(document)}\n`);
    this.#names.delete(name);
    this.#names.add(name);
    for (const oldest of this.#names) {
      if (this.#names.size <= this.#max) break;
      rmSync(join(this.#folder, oldest), { force: true });
      this.#names.delete(oldest);
    }
  }
}

function parsed(text: string): StoredCertificate | undefined {
  let document: { message?: unknown; certificate?: unknown; height?: unknown };
  try {
    document = Object(parseJson(text));
  } catch {
    return undefined;
  }
  const [bytes, certificate] = [fromHex(document.message), fromHex(document.certificate)];
  const { height } = document;
  if (bytes === undefined || certificate === undefined) return undefined;
  if (height === undefined) return { bytes, certificate };
  return typeof height === 'string' && /^\d{1,20}$/.test(height)
    ? { bytes, certificate, height: BigInt(height) }
    : undefined;
}
