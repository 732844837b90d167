import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Certified } from '@tutti/certificates/groups';
import { fromHex, parseJson, toHex, WorldError } from '@tutti/core/input';
import { readWhole, writeWhole } from '../output/files.ts';

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
