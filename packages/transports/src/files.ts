/**
 * Exclusive access to files between processes, in Node. {@link FileLock} excludes other processes, including those of
 * other containers with the same volume. The operating system releases the lock when the process ends.
 *
 * @example
 * ```js
 * import { FileLock } from '@tutti/transports/files';
 *
 * const lock = new FileLock('results.jsonl');
 * try {
 *   new FileLock('results.jsonl');
 * } catch (error) {
 *   console.log(error.code);
 * }
 * lock.release();
 * ```
 *
 * ```text
 * locked
 * ```
 *
 * @packageDocumentation
 */
export { FileLock, type FileLockOptions } from './files/fileLock.ts';
export { type FolderFiles, pointedTo, requireNoMount, requireOneName, syncFolder } from './files/paths.ts';
