import { AsyncLocalStorage } from 'node:async_hooks';
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { EnvironmentError, isBytes, withoutMark } from '@tutti/core/input';
import { pointedTo } from '@tutti/transports/files';
import { UsageError, warn } from '../context.ts';
import { clearParts, withPart } from './temporaryFiles.ts';

/** File name that represents the standard output. */
const standardOutput = '-';

/**
 * Writes a file atomically: the function first writes a temporary file in the same folder, and then renames it. If the
 * path is a symbolic link, the link remains and its target is replaced. The path `-` represents the standard output.
 *
 * @param content the whole content, or its parts one after another, so that the whole content need not be in memory at
 * once.
 * @throws EnvironmentError `not-a-file` if the path names something other than a file; `cannot-write`; any error from
 * generating a part.
 */
export function writeWhole(
  path: string,
  content: string | Uint8Array | Iterable<string | Uint8Array>,
  mode = 0o666,
): void {
  const parts = typeof content === 'string' || isBytes(content) ? [content] : content;
  if (path === standardOutput) {
    for (const piece of parts) process.stdout.write(piece);
    return;
  }
  requireFile(path);
  try {
    const target = pointedTo(path);
    withPart(target, (part) => {
      writeSynced(part, parts, mode);
      renameSync(part, target);
    });
    clearParts(dirname(target));
  } catch (cause) {
    throw cannotWrite(`${path}: cannot be written`, cause);
  }
}

/** Returns the error `cannot-write` for an error of the system, and any other error unchanged. */
function cannotWrite(what: string, cause: unknown): unknown {
  const { code } = cause as NodeJS.ErrnoException;
  if (cause instanceof EnvironmentError || code === undefined) return cause;
  return new EnvironmentError('cannot-write', `${what} (${code})`, { cause });
}

/**
 * Writes a new file and flushes it to the disk. Without the flush, a power failure could leave an empty file with that
 * name.
 */
export function writeSynced(path: string, content: string | Iterable<string | Uint8Array>, mode = 0o666): void {
  const file = openSync(path, 'wx', mode);
  try {
    for (const piece of typeof content === 'string' ? [content] : content) writeFileSync(file, piece);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Creates a second name for a file. @returns false if the file system does not support hard links. */
export function linkIfPossible(path: string, name: string): boolean {
  try {
    linkSync(path, name);
    return true;
  } catch (cause) {
    if (['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes((cause as NodeJS.ErrnoException).code ?? ''))
      return false;
    throw cause;
  }
}

/**
 * Checks that a path names a file or does not exist, because only files may be replaced.
 *
 * @throws EnvironmentError `not-a-file` for a device, a socket, a pipe or a folder; `cannot-write` if the path cannot
 * be read.
 */
export function requireFile(path: string): void {
  try {
    if (statSync(pointedTo(path), { throwIfNoEntry: false })?.isFile() !== false) return;
  } catch (cause) {
    throw cannotWrite(`${path}: cannot be written`, cause);
  }
  const message = `${path}: expected a regular file to replace, got something else; choose another name`;
  throw new EnvironmentError('not-a-file', message);
}

/** Returns whether a path leads to a folder. A path that cannot be read does not. */
export function isFolder(path: string): boolean {
  return statusOf(path)?.isDirectory() === true;
}

/** Returns whether a path leads to a regular file. A path that cannot be read does not. */
export function isRegular(path: string): boolean {
  return statusOf(path)?.isFile() === true;
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/**
 * Creates a folder if it does not exist.
 *
 * @throws UsageError for an empty name; EnvironmentError `cannot-write`.
 */
export function makeFolder(path: string, mode?: number): void {
  requireName(path);
  try {
    mkdirSync(path, { recursive: true, mode });
  } catch (cause) {
    throw cannotWrite(`${path}: the folder cannot be created`, cause);
  }
}

/**
 * Checks before a long task that the result can be written, by writing a test file to the result's folder, or to the
 * path itself if it is a folder.
 *
 * @throws EnvironmentError `no-such-folder`; `cannot-write`.
 */
export function requireFolderOf(path: string): void {
  let folder = dirname(path);
  try {
    const whole = pointedTo(path);
    folder = isFolder(whole) || path.endsWith('/') ? whole : dirname(whole);
    const missing = `${path}: expected the folder ${folder}, found none; create it or choose another`;
    if (!isFolder(folder)) throw new EnvironmentError('no-such-folder', missing);
    withPart(join(folder, 'try'), (part) => writeFileSync(part, 'tutti\n', { flag: 'wx' }));
    clearParts(folder);
  } catch (cause) {
    throw cannotWrite(`${path}: no file can be written in ${folder}`, cause);
  }
}

/**
 * Checks before a long task that a named file can be written, and that it does not replace an existing file unless the
 * user requested this.
 *
 * @param force true to replace an existing file with the same name.
 * @param name name of the file to write if the path is a folder.
 * @throws UsageError for an empty name, and for a file that the command has already named for another output;
 * EnvironmentError `no-such-folder`; `file-exists`; `not-a-file`; `cannot-write`.
 */
export function requirePlace(path: string, force: boolean | undefined, name?: string): void {
  requireName(path);
  const file = name !== undefined && isFolder(path) ? join(path, name) : path;
  if (path !== standardOutput) {
    requireFolderOf(path);
    requireFile(file);
    if (!force) refuseToOverwrite(file);
  }
  requireOnce(file);
}

/** @throws UsageError for an empty name, which the system would report as a missing file. */
function requireName(path: string): void {
  if (path === '') throw new UsageError('output: expected a name, got ""');
}

/** Outputs of a command that {@link requirePlace} has checked, each as an absolute path or `-`. */
const outputs = new AsyncLocalStorage<Set<string>>();

/** Runs a command whose outputs must all differ. */
export function withOutputs<T>(run: () => T): T {
  return outputs.run(new Set(), run);
}

/** @throws UsageError if the command has already named this file, or the standard output, for another output. */
function requireOnce(file: string): void {
  const place = file === standardOutput ? file : resolve(pointedTo(file));
  const named = outputs.getStore();
  if (named?.has(place)) throw new UsageError(`output: expected a different file for each output, got ${file} twice`);
  named?.add(place);
}

/**
 * Performs the checks of {@link requirePlace} for a file that cannot be the standard output, because other files are
 * named after the file or the standard output has other content.
 *
 * @throws EnvironmentError `not-a-file` for the standard output; errors of {@link requirePlace}.
 */
export function requireNamed(path: string, force: boolean | undefined, name?: string): void {
  if (path === standardOutput)
    throw new EnvironmentError('not-a-file', `${path}: expected the name of a file, got standard output`);
  requirePlace(path, force, name);
}

/**
 * Rejects a path that already exists, so that the command does not overwrite an earlier result by mistake.
 *
 * @throws EnvironmentError `file-exists`.
 */
export function refuseToOverwrite(path: string): void {
  if (existsSync(path))
    throw new EnvironmentError('file-exists', `${path}: exists already; use --force to replace it, or another name`);
}

/**
 * Returns whether a name stands for the standard output instead of a file. For such a name, the command writes only the
 * content of the file to the standard output.
 */
export function isStandardOutput(path: string | undefined): boolean {
  return path === standardOutput;
}

/**
 * Reads a text file and removes a byte order mark if the file has one.
 *
 * @throws EnvironmentError `cannot-read`; `not-utf8`.
 */
export function readWhole(path: string): string {
  return textOf(path, readBytes(path));
}

/** Returns the text of a file from its bytes, without a byte order mark. @throws EnvironmentError `not-utf8`. */
export function textOf(path: string, bytes: Buffer): string {
  if (isUtf8(bytes)) return withoutMark(bytes.toString('utf8'));
  const mark = bytes.subarray(0, 2).toString('hex');
  const found = mark === 'fffe' || mark === 'feff' ? 'UTF-16' : 'another encoding';
  throw new EnvironmentError('not-utf8', `${path}: expected UTF-8, got ${found}; save it as UTF-8`);
}

/** Reads the bytes of a file. @throws EnvironmentError `cannot-read`. */
export function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw cannotRead(path, cause);
  }
}

function cannotRead(path: string, cause: unknown): EnvironmentError {
  const { code } = cause as NodeJS.ErrnoException;
  return new EnvironmentError('cannot-read', `${path}: cannot be read (${code})`, { cause });
}

/** Maximum size of a file, bytes: more than the size of a registry of a million nodes. */
const maxNamedBytes = 2 ** 30;

/**
 * Reads a text file that a document or another untrusted text names, which must be a regular file of at most the
 * maximum size. Any other file could block the reader, fill its memory, or cause a side effect on opening.
 *
 * Errors about the content must not quote the content, because the name may lead to a secret of the user.
 *
 * @throws EnvironmentError `not-a-file`, `too-large`, `cannot-read` or `not-utf8`.
 */
export function readNamed(path: string, maxBytes = maxNamedBytes): string {
  return textOf(path, readNamedBytes(path, maxBytes));
}

/**
 * Reads the bytes of a file that an untrusted text names, as {@link readNamed} does.
 *
 * @throws EnvironmentError `not-a-file`, `too-large` or `cannot-read`.
 */
export function readNamedBytes(path: string, maxBytes = maxNamedBytes): Buffer {
  try {
    // The function checks the file first, because opening a file may already have a side effect. The file is opened in
    // non-blocking mode, in case another file has replaced it since the check.
    requireRegular(path, statSync(path), maxBytes);
    const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      requireRegular(path, fstatSync(file), maxBytes);
      return readFileSync(file);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw cause instanceof EnvironmentError ? cause : cannotRead(path, cause);
  }
}

function requireRegular(path: string, found: Stats, maxBytes: number): void {
  if (!found.isFile()) throw new EnvironmentError('not-a-file', `${path}: expected a regular file, got something else`);
  if (found.size > maxBytes)
    throw new EnvironmentError('too-large', `${path}: expected at most ${maxBytes} bytes, got ${found.size}`);
}

/**
 * Reads a text file with secrets, and warns if other users can read it. A file without secrets causes no warning,
 * because `parse` throws before the warning.
 *
 * @param parse returns the secrets that the text contains.
 * @throws EnvironmentError `cannot-read` or `not-utf8`; errors of `parse`.
 */
export function readSecret<T>(path: string, parse: (text: string) => T): T {
  const secrets = parse(readWhole(path));
  if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0)
    warn(`${path}: other users can read these secrets; protect the file with chmod 600`);
  return secrets;
}

/** Reads a file with a token, as {@link readSecret} does. @throws UsageError for a file without a token. */
export function readToken(path: string): string {
  return readSecret(path, (text) => {
    const token = text.trim();
    if (token === '') throw new UsageError('--token-file: expected a file that contains a token, got an empty file');
    return token;
  });
}

/** File that a command has read, as reported in the results. */
export interface InputFile {
  readonly file: string;
  /** SHA-256 hash of the file's content, hexadecimal. */
  readonly sha256: string;
}

const inputs = new AsyncLocalStorage<Map<string, InputFile>>();

/** Runs a command, and records the files that the command reads for {@link inputFiles}. */
export function withInputs<T>(run: () => T): T {
  return inputs.run(new Map(), run);
}

/** Returns the files that this command has read with {@link readInput}, sorted by name; undefined if there are none. */
export function inputFiles(): readonly InputFile[] | undefined {
  const read = [...(inputs.getStore()?.values() ?? [])].sort((a, b) => (a.file < b.file ? -1 : 1));
  return read.length === 0 ? undefined : read;
}

/** Returns a row for each file that this command has read, for `pairTable`. */
export function inputRows(): (readonly [name: string, file: string])[] {
  return (inputFiles() ?? []).map(({ file, sha256 }) => ['input', `${file}, SHA-256 ${sha256}`]);
}

/** Returns one line for each file that this command has read; an empty text if there are none. */
export function inputText(): string {
  return inputRows()
    .map(([name, file]) => `${name}  ${file}\n`)
    .join('');
}

/** Reads a file that affects the result, as `readNamed` does, and records the file with its hash for the results. */
export function readInput(path: string, maxBytes?: number): { readonly text: string; readonly input: InputFile } {
  const bytes = readNamedBytes(path, maxBytes);
  const input = { file: path, sha256: createHash('sha256').update(bytes).digest('hex') };
  inputs.getStore()?.set(path, input);
  return { text: textOf(path, bytes), input };
}
