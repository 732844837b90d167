import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Certified, SignedLog, SignedStatement } from '@tutti/certificates/groups';
import type { SignedLogFile } from '@tutti/certificates/log';
import { EnvironmentError, fromHex, parseJson, toHex } from '@tutti/core/input';
import { pointedTo, requireNoMount } from '@tutti/transports/files';
import { makeFolder, readBytes, writeWhole } from '../output/files.ts';
import { fullDiskCodes, systemCode } from '../output/patientOutput.ts';

/** Files of a certifying member, next to its key file. */
interface KeyPlaces {
  readonly signedLog: string;
  readonly certificateFolder: string;
}

/**
 * Returns the paths of the files that belong to a key. The files are named after the key file itself, even if the path
 * is a symbolic link to it, so that each key has one signed log.
 *
 * @throws EnvironmentError `ambiguous-names` if the key file has a second hard link or is mounted as a single file, or
 * if a signed log exists at the name of the link.
 */
export function placesOfKey(key: string): KeyPlaces {
  const place = pointedTo(key);
  requireNoMount(place);
  const { nlink } = statSync(key);
  if (nlink > 1)
    throw new EnvironmentError(
      'ambiguous-names',
      `${key}: expected a key file with one name, got ${nlink} names (hard links), each of which would have its own signed log; remove all names but one`,
    );
  const [signedLog, atLink] = [`${place}.signed`, `${key}.signed`];
  if (existsSync(atLink) && pointedTo(atLink) !== pointedTo(signedLog))
    throw new EnvironmentError(
      'ambiguous-names',
      `${key}: expected its signed log at ${signedLog}, got a log at ${atLink}; move that log to the expected path if no log exists there`,
    );
  return { signedLog, certificateFolder: `${place}.certificates` };
}

/** A signed log whose file can be checked, as returned by `openSignedLog`. */
export type CheckedLog = SignedLog & Pick<SignedLogFile, 'check'>;

/**
 * A signed log that records whether its file can be written. While the file cannot be written, the member signs
 * no new statement. Each new statement and each call of `failure` tries to write again.
 */
export class WatchedLog implements SignedLog {
  readonly #log: CheckedLog;
  readonly #path: string;
  readonly #report: (line: string) => void;
  #failure: EnvironmentError | undefined;

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
   * Retries writing if the previous attempt failed.
   *
   * @returns the reason why the member cannot sign; undefined if the last attempt to write the log succeeded.
   */
  failure(): EnvironmentError | undefined {
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
   * @throws EnvironmentError `signed-log-failed`, and the errors of the log.
   */
  record(statement: SignedStatement): void {
    try {
      this.#log.record(statement);
    } catch (error) {
      if (error instanceof RangeError || (error instanceof EnvironmentError && error.code === 'already-signed'))
        throw error;
      throw this.#fail(error as Error);
    }
    // The log does not write a statement that it already contains, so this call does not show whether the file can be
    // written.
    this.failure();
  }

  close(): void {
    this.#log.close();
  }

  #fail(cause: Error): EnvironmentError {
    const code = systemCode(cause);
    const advice = fullDiskCodes.has(code) ? '; free space on its disk' : '';
    const what = `${this.#path}: cannot be written (${code ?? cause.message}), so this member has stopped signing${advice}`;
    if (this.#failure === undefined) this.#report(`tutti: ${what}\n`);
    this.#failure = new EnvironmentError('signed-log-failed', what, { cause });
    return this.#failure;
  }
}

type StoredCertificate = Pick<Certified, 'bytes' | 'certificate' | 'height'>;

const namePattern = /^[0-9a-f]{64}$/;

/** Maximum length of a file, bytes: enough for a message, a certificate of 2^20 members, and the surrounding JSON. */
const maxFileBytes = 2 ** 19;

/** Folder with a limited number of certificates: one file per certificate, named after its message. */
export class CertificateFolder {
  readonly #folder: string;
  readonly #max: number;
  readonly #names: Set<string>;

  /**
   * Creates the folder if it does not exist.
   *
   * @param max maximum number of certificates.
   * @throws EnvironmentError `cannot-write` if the folder cannot be created; `cannot-read` if it cannot be read.
   */
  constructor(folder: string, max: number) {
    makeFolder(folder, 0o700);
    try {
      const files = readdirSync(folder, { withFileTypes: true })
        // Opening a pipe would block the process.
        .filter((one) => one.isFile() && namePattern.test(one.name))
        .map(({ name }) => ({ name, status: statSync(join(folder, name)) }))
        .filter(({ status }) => status.size <= maxFileBytes)
        .sort((a, b) => a.status.mtimeMs - b.status.mtimeMs);
      this.#names = new Set(files.map(({ name }) => name));
    } catch (cause) {
      throw new EnvironmentError('cannot-read', `${folder}: the folder cannot be read (${systemCode(cause)})`, {
        cause,
      });
    }
    this.#folder = folder;
    this.#max = max;
  }

  /**
   * Returns the newest certificates in the folder, up to the maximum, oldest first. Files with other content are
   * ignored.
   *
   * @throws EnvironmentError `cannot-read` for a file that cannot be read.
   */
  *all(): Iterable<StoredCertificate> {
    for (const name of [...this.#names].slice(-this.#max)) {
      const one = parsed(readBytes(join(this.#folder, name)).toString());
      if (one !== undefined) yield one;
    }
  }

  /** Writes a certificate atomically, and removes the oldest certificates if there are more than the maximum. */
  keep({ name, bytes, certificate, height }: Certified): void {
    const document = { message: toHex(bytes), certificate: toHex(certificate), height: height?.toString() };
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

/** Returns the certificate in the text of a file; undefined for any other text. */
function parsed(text: string): StoredCertificate | undefined {
  let document: { message?: unknown; certificate?: unknown; height?: unknown };
  try {
    document = Object(parseJson(text));
  } catch {
    return undefined;
  }
  const { height } = document;
  const [bytes, certificate] = [fromHex(document.message), fromHex(document.certificate)];
  if (bytes === undefined || certificate === undefined) return undefined;
  if (height === undefined) return { bytes, certificate };
  return typeof height === 'string' && /^\d{1,20}$/.test(height)
    ? { bytes, certificate, height: BigInt(height) }
    : undefined;
}
