import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { WorldError } from '@tutti/transports/errors';
import { clearPartsOf, linkIfPossible, partOf, pointedTo, writeSynced } from './files.ts';
import { hasEnded, hasOwnId, type Owner, self } from './owner.ts';

interface Holder extends Owner {
  /** Of this one lock, 8 hexadecimal digits. */
  readonly id: string;
}

/** The ids of this process's own locks. */
const held = new Set<string>();

/**
 * Reserves a file for one process: a file beside it, `….lock`, names the process that has it. Symbolic links are
 * followed first. A lock left by a process of this machine that was killed is taken over, whenever it was killed.
 *
 * Assumption: two machines (or containers) that share the folder have different host names. A second hard link is
 * another name beside which another lock can stand: {@link requireOneName} refuses those.
 */
export class FileLock {
  readonly #path: string;
  readonly #id: string;

  /** @throws WorldError `locked`; `cannot-write`. */
  constructor(path: string) {
    this.#path = `${pointedTo(path)}.lock`;
    try {
      const id = take(this.#path);
      if (id === undefined) throw this.#locked(path);
      this.#id = id;
      clearGuards(this.#path);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (cause instanceof WorldError || code === undefined) throw cause;
      throw new WorldError('cannot-write', `${this.#path}: cannot be written (${code})`, { cause });
    }
  }

  release(): void {
    drop(this.#path, this.#id);
  }

  #locked(path: string): WorldError {
    const holder = holderOf(this.#path);
    const who = holder === undefined ? 'another process' : `process ${holder.pid} of ${holder.host}`;
    return new WorldError(
      'locked',
      `${path}: ${who} writes to it; wait until it ends, or choose another file (if it is gone, remove ${this.#path})`,
    );
  }
}

/** Makes the lock, or takes over that of a process that has ended; its id, or undefined while another has it. */
function take(lock: string): string | undefined {
  const made = create(lock);
  if (made !== undefined) return made;
  const holder = holderOf(lock);
  if (holder === undefined || !isStale(holder)) return undefined;
  // Two processes that find the same lock stale must not both remove it: only the holder of this one may. It is a lock
  // too, so that a process killed while it has it stops nobody.
  const guard = `${lock}.${holder.id}`;
  const guardId = take(guard);
  if (guardId === undefined) return undefined;
  try {
    if (holderOf(lock)?.id !== holder.id) return undefined;
    rmSync(lock, { force: true });
    return create(lock);
  } finally {
    drop(guard, guardId);
  }
}

/**
 * The new lock's id; undefined when there is a lock. It never stands without its content, after a power cut neither
 * (where the file system has hard links).
 */
function create(lock: string): string | undefined {
  const id = randomBytes(4).toString('hex');
  const part = partOf(lock);
  const text = JSON.stringify({ ...self, id } satisfies Holder);
  try {
    writeSynced(part, text);
    if (!linkIfPossible(part, lock)) writeFileSync(lock, text, { flag: 'wx' });
    held.add(id);
    return id;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw cause;
  } finally {
    rmSync(part, { force: true });
  }
}

/** Removes a lock, unless somebody removed it by hand and another has one there by now. */
function drop(lock: string, id: string): void {
  if (holderOf(lock)?.id === id) rmSync(lock, { force: true });
  held.delete(id);
}

/**
 * Removes what processes that were killed left of earlier takeovers. Whoever still has such a guard finds a lock of
 * another id than it guards, and leaves it.
 */
function clearGuards(lock: string): void {
  clearPartsOf(lock);
  const name = `${basename(lock)}.`;
  for (const standing of readdirSync(dirname(lock)))
    if (standing.startsWith(name) && lockId.test(standing.slice(name.length)))
      rmSync(join(dirname(lock), standing), { force: true });
}

function isStale(holder: Holder): boolean {
  return hasEnded(holder) || (hasOwnId(holder) && !held.has(holder.id));
}

const lockId = /^[0-9a-f]{8}$/;
/** Of locks that were made before they had one. */
const idOfOld = '00000000';

/** Undefined for a lock that is gone, or is something else. */
function holderOf(path: string): Holder | undefined {
  try {
    const { pid, host, id = idOfOld } = JSON.parse(readFileSync(path, 'utf8'));
    const holds = Number.isSafeInteger(pid) && pid > 0 && typeof host === 'string' && lockId.test(id);
    return holds ? { pid, host, id } : undefined;
  } catch {
    return undefined;
  }
}
