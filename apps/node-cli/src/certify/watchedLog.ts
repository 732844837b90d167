import type { SignedLog, SignedStatement } from '@tutti/certificates/groups';
import type { SignedLogFile } from '@tutti/certificates/log';
import { WorldError } from '@tutti/core/errors';
import { systemCode } from '../output/patientOutput.ts';

/** The part of a file's log that is watched; `openSignedLog` gives one. */
export type CheckedLog = SignedLog & Pick<SignedLogFile, 'check'>;

/**
 * A signed log that knows whether it can be written. While it cannot, nothing is signed; each statement, and each look
 * at the failure, tries again.
 */
export class WatchedLog implements SignedLog {
  readonly #log: CheckedLog;
  readonly #path: string;
  readonly #tell: (line: string) => void;
  #failure: WorldError | undefined;

  /** @param tell takes one line, with its end, when writing fails and when it works again. */
  constructor(log: CheckedLog, path: string, tell: (line: string) => void) {
    this.#log = log;
    this.#path = path;
    this.#tell = tell;
  }

  /** Tries to write again where that failed. @returns why nothing can be signed; undefined where the log works. */
  failure(): WorldError | undefined {
    if (this.#failure === undefined) return undefined;
    try {
      this.#log.check();
    } catch (error) {
      return this.#fail(error as Error);
    }
    this.#failure = undefined;
    this.#tell(`tutti: ${this.#path}: is written again; this member signs again\n`);
    return undefined;
  }

  /** @throws WorldError `signed-log-failed`, and as the log does. */
  record(statement: SignedStatement): void {
    try {
      this.#log.record(statement);
    } catch (error) {
      if (error instanceof RangeError || (error instanceof WorldError && error.code === 'already-signed')) throw error;
      throw this.#fail(error as Error);
    }
    // A statement that was known was not written: whether writing works is not known yet.
    this.failure();
  }

  close(): void {
    this.#log.close();
  }

  #fail(cause: Error): WorldError {
    const what = `${this.#path}: cannot be written (${systemCode(cause) ?? cause.message}), so this member signs nothing`;
    if (this.#failure === undefined) this.#tell(`tutti: ${what}; free space on its disk, and it goes on\n`);
    this.#failure = new WorldError('signed-log-failed', `${what}; free space on its disk`, { cause });
    return this.#failure;
  }
}
