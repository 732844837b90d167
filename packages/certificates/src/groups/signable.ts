import { looksLikeIdentity } from '@tutti/core';
import { EnvironmentError, requireBytes } from '@tutti/core/input';
import type { SignedLog, SignedStatement } from '../log/signedLog.ts';
import { messageHash } from '../verification/certificate.ts';
import { looksLikeSuccession } from '../verification/succession.ts';
import { maxStatementBytes } from './announcer.ts';
import type { ApproveRequest } from './approvals.ts';
import { requireHeight } from './ask.ts';
import type { JoinGroupOptions, ReadyOptions } from './joinOptions.ts';
import type { RequestRefusal } from './requests.ts';
import type { SigningEntry } from './signingQueue.ts';
import type { Certified } from './storedCertificates.ts';

/** Reason to reject another member's message outside rounds, as a code. */
export type ApprovalRefusal = RequestRefusal | 'blacklisted' | 'invalid-certificate';

/**
 * Checks a message that this member wants to certify. @throws TypeError for a value that is not bytes; RangeError if
 * the message is too long.
 */
export function requireStatement(bytes: Uint8Array): void {
  requireBytes('bytes', bytes);
  if (bytes.length > maxStatementBytes)
    throw new RangeError(`bytes: expected at most ${maxStatementBytes}, got ${bytes.length}`);
}

/**
 * Returns the height to announce with a message: the named height, or undefined if the message itself contains the
 * height.
 *
 * @throws RangeError for a height out of range, and for a height that differs from the one in the message.
 */
export function announcedHeight(
  { heightOf }: JoinGroupOptions,
  bytes: Uint8Array,
  named: bigint | undefined,
): bigint | undefined {
  requireHeight(named);
  const own = named === undefined ? undefined : heightOf?.(bytes);
  if (own === undefined) return named;
  if (own !== named) throw new RangeError(`height: expected ${own}, which the message has, got ${named}`);
  return undefined;
}

/**
 * Returns the result of `announcedHeight` for a message that another member announced, or `'refused'` if the height is
 * invalid or `heightOf` throws.
 */
export function heightByAnother(...args: Parameters<typeof announcedHeight>): bigint | undefined | 'refused' {
  try {
    return announcedHeight(...args);
  } catch {
    return 'refused';
  }
}

/**
 * Returns the function that decides about a message of another member, or undefined if the member waits for its own
 * request.
 */
export function approvalOf(
  bytes: Uint8Array,
  { approve, approveSuccession }: JoinGroupOptions,
): ApproveRequest | undefined {
  if (!looksLikeSuccession(bytes)) return approve;
  return approveSuccession ?? (approve === undefined ? undefined : () => false);
}

/**
 * Records a statement in the log before the statement's signature is sent.
 *
 * @throws EnvironmentError `reserved-message` for an identity statement; the errors of {@link writeToLog}.
 */
export function record(entry: SigningEntry, { signedLog, heightOf }: ReadyOptions): void {
  if (entry.isOnRecord) return;
  const { bytes, height } = entry;
  if (looksLikeIdentity(bytes))
    throw new EnvironmentError(
      'reserved-message',
      'message: expected one that is no identity statement, got one that is',
    );
  writeToLog(signedLog, { message: messageHash(bytes), height: height ?? heightOf?.(bytes) });
  entry.isOnRecord = true;
}

/**
 * Returns a stored certificate for a repeated request, after recording the request's height, if any, in the log.
 *
 * @throws EnvironmentError of the log if the log contains another message of that height or cannot be written.
 */
export async function givenAgain(stored: Certified, statement: SignedStatement, log: SignedLog): Promise<Certified> {
  if (statement.height !== undefined) writeToLog(log, statement);
  return stored;
}

/** Returns whether an error code is one of the signed log. Errors with such a code are passed on unchanged. */
function isRecordFault(code: unknown): code is 'already-signed' | 'signed-log-failed' {
  return code === 'already-signed' || code === 'signed-log-failed';
}

/**
 * Records a statement.
 *
 * @throws RangeError, and EnvironmentError `already-signed` or `signed-log-failed`, as thrown by the log;
 * EnvironmentError `signed-log-failed` for any other error of the log.
 */
function writeToLog(log: SignedLog, statement: SignedStatement): void {
  try {
    log.record(statement);
  } catch (cause) {
    if (cause instanceof RangeError || (cause instanceof EnvironmentError && isRecordFault(cause.code))) throw cause;
    const why = (cause as { readonly code?: string }).code ?? String(cause);
    throw new EnvironmentError('signed-log-failed', `signed log: cannot be written (${why}); nothing is signed`, {
      cause,
    });
  }
}

/** Returns the code under which the rejection of a message is counted, given the error. */
export function refusalOf(error: unknown): ApprovalRefusal {
  const { code } = error as EnvironmentError;
  return isRecordFault(code) ? code : 'forbidden-message';
}

/** Returns the error of a call of `certify` that exceeds the maximum number of waiting messages. */
export function tooMany(maxWaiting: number): EnvironmentError {
  const what = `group: expected at most ${maxWaiting} waiting messages, got one more; wait for some of them`;
  return new EnvironmentError('too-many-messages', what);
}

/** Returns the error of a round that did not get enough signers in time. @param name name from `roundName`. */
export function gaveUp(name: string, giveUpMs: number): EnvironmentError {
  return new EnvironmentError(
    'gave-up',
    `message ${name.replace('@', ' of height ')}: not enough signers in ${giveUpMs} ms`,
  );
}
