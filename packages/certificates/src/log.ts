/**
 * The log of the messages that a member has signed, in a file, in Node. {@link openSignedLog} rejects a second message
 * of one height, even after a restart. {@link readSignedLog} reads a log without locking it. The module needs
 * `@tutti/transports` to be installed, for the lock of the file.
 *
 * @example
 * ```js
 * import { mkdtempSync } from 'node:fs';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { openSignedLog } from '@tutti/certificates/log';
 *
 * const log = openSignedLog(join(mkdtempSync(join(tmpdir(), 'tutti-')), 'alice.signed'));
 * log.record({ height: 7n, message: new Uint8Array(32).fill(1) });
 * try {
 *   log.record({ height: 7n, message: new Uint8Array(32).fill(2) });
 * } catch (error) {
 *   console.log(error.code);
 * }
 * log.close();
 * ```
 *
 * ```text
 * already-signed
 * ```
 *
 * @packageDocumentation
 */
export type { InterchangeReport } from './log/interchange.ts';
export {
  type LogFiles,
  openSignedLog,
  readSignedLog,
  type SignedLogFile,
  type SignedLogSummary,
} from './log/signedLogFile.ts';
