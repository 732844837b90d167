import type { SignedLog, SignedStatement } from '@tutti/certificates/groups';
import type { SignedLogFile } from '@tutti/certificates/log';
import { WorldError } from '@tutti/core/input';
import { systemCode } from '../output/patientOutput.ts';

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
