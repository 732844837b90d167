/**
 * Log file, in Node, of the messages that a member has signed. {@link openSignedLog} opens a log that rejects a second
 * message of one height, even after a restart. {@link readSignedLog} reads a log without locking it. The module
 * requires `@tutti/transports` to be installed, because it locks the file with that package.
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
