import type { IncomingMessage } from 'node:http';
import { decodeSignedWarp, encodeSignedWarp } from '@tutti/certificates';
import { fromHex, parseJson } from '@tutti/core/input';
import { counted } from '../output/text.ts';

/** Maximum length of a message to certify, bytes. */
const maxCertifiedBytes = 65_536;
/** Maximum length of a request to the aggregator, bytes: a message in hexadecimal, and the JSON around it. */
const maxRequestBytes = 2 * maxCertifiedBytes + 65_536;
/** Length of a signature in a message of Avalanche, bytes. */
const signatureBytes = 96;
/** Number of bits of a height. */
const heightBits = 64n;
/** Quorum for a request to the aggregator that does not specify one, percent of the total weight. */
const defaultQuorum = 67;

/** Error of a rejected request, with its HTTP status. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/**
 * Rejects unknown and repeated parameters, so that a client notices a misspelt parameter.
 *
 * @throws Refused.
 */
export function requireParameters(query: URLSearchParams, known: readonly string[]): void {
  for (const name of new Set(query.keys())) {
    if (!known.includes(name))
      throw new Refused(400, `parameters: expected ${known.join(', ')}, got ${name.slice(0, 40)}`);
    if (query.getAll(name).length > 1) throw new Refused(400, `${name}: expected one value, got several`);
  }
}

/**
 * Returns the height that a request names; undefined if the request names none.
 *
 * @throws Refused for an invalid height, or if a required height is missing.
 */
export function heightIn(query: URLSearchParams, isRequired: boolean): bigint | undefined {
  const text = query.get('height');
  if (text === null) {
    if (isRequired)
      throw new Refused(400, 'height: expected ?height=N, got none; this member signs only messages with a height');
    return undefined;
  }
  const height = /^(?:0|[1-9]\d{0,19})$/.test(text) ? BigInt(text) : undefined;
  if (height !== undefined && height >> heightBits === 0n) return height;
  throw new Refused(400, `height: expected an integer from 0 to 2^64 - 1, got ${JSON.stringify(text.slice(0, 40))}`);
}

/**
 * Returns the message of a request: its body, or the hash in its target. A message has 1 to 65,536 bytes.
 *
 * @throws Refused; errors of {@link bodyOf}.
 */
export async function messageOf(request: IncomingMessage, query: URLSearchParams): Promise<Uint8Array> {
  const body = await bodyOf(request, maxCertifiedBytes);
  const text = query.get('hash');
  if (text === null) {
    if (body.length === 0) throw new Refused(400, 'body: expected a message, got no bytes');
    return body;
  }
  if (body.length > 0) throw new Refused(400, 'body: expected no body in a request with ?hash=, got one');
  const hash = fromHex(text);
  if (hash !== undefined && hash.length > 0 && hash.length <= maxCertifiedBytes) return hash;
  const got =
    hash === undefined ? `${counted(text.length, 'character')} in the wrong form` : counted(hash.length, 'byte');
  throw new Refused(400, `hash: expected 1 to ${maxCertifiedBytes} bytes, with 2 hexadecimal digits each, got ${got}`);
}

/**
 * Requires an unsigned message of Avalanche.
 *
 * @throws Refused with the given line for any other message.
 */
export function requireWarp(message: Uint8Array, line: string): void {
  const signed = encodeSignedWarp(message, [], new Uint8Array(signatureBytes));
  if (decodeSignedWarp(signed) === undefined) throw new Refused(400, line);
}

/**
 * Reads a request to Avalanche's signature-aggregator.
 *
 * @returns the unsigned message and the required share of the total weight, percent. The share is from 1 to 100.
 * @throws Refused, with the wording of the signature-aggregator unless the message is too long; errors of
 * {@link bodyOf}.
 */
export async function aggregationOf(
  request: IncomingMessage,
): Promise<{ readonly message: Uint8Array; readonly percent: number }> {
  let query: Record<string, unknown>;
  const body = await bodyOf(request, maxRequestBytes);
  try {
    query = Object(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body)));
  } catch {
    throw new Refused(400, 'Could not decode request body');
  }
  const { message: text, 'quorum-percentage': quorum = 0 } = query;
  if (typeof text !== 'string' || text === '') throw new Refused(400, 'Must provide either message or justification');
  const message = fromHex(text.replace(/^0x/, ''));
  if (message === undefined) throw new Refused(400, 'Could not decode message');
  requireWarp(message, 'Could not parse warp message');
  if (message.length > maxCertifiedBytes)
    throw new Refused(413, `message: expected at most ${counted(maxCertifiedBytes, 'byte')}, got ${message.length}`);
  if (typeof quorum !== 'number' || !Number.isInteger(quorum) || quorum < 0 || quorum > 100)
    throw new Refused(400, 'Invalid quorum number');
  return { message, percent: quorum === 0 ? defaultQuorum : quorum };
}

/**
 * Returns the body of a request when it has arrived.
 *
 * The server still reads a body that is too long to its end, and discards it. Otherwise, a client that writes its whole
 * request first would find a closed connection instead of the response. The server's time limit for a request also
 * applies here.
 *
 * @throws Refused 413 as soon as the body exceeds the limit; the connection's error if it ends before the body does.
 */
function bodyOf(request: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    let parts: Buffer[] = [];
    let length = 0;
    const refuse = (): void => {
      parts = [];
      reject(new Refused(413, `body: expected at most ${counted(maxBytes, 'byte')}, got more`));
    };
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) {
      request.resume();
      refuse();
      return;
    }
    request.on('data', (part: Buffer) => {
      if (length > maxBytes) return;
      length += part.length;
      if (length > maxBytes) refuse();
      else parts.push(part);
    });
    request.on('end', () => resolve(new Uint8Array(Buffer.concat(parts))));
    request.on('error', reject);
    request.on('close', () => reject(new Error('the connection ended before the end of the body')));
  });
}
