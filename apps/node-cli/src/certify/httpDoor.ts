import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WorldError } from '@tutti/transports';
import type { CertifyingGroup } from '@tutti/transports/certificates';

/** The longest message that is certified, bytes. */
const longestBody = 65_536;
/** Requests that wait for a certificate at a time. */
const mostRequests = 256;

const namePattern = /^\/certificates\/([0-9a-f]{64})$/;

/** What each error of a group is to whoever asked. */
const statusOf: Readonly<Record<string, number>> = {
  'already-signed': 412,
  'message-is-identity': 412,
  'too-many-messages': 503,
  'group-closed': 503,
  'gave-up': 504,
};

/**
 * A group's door for the programs of its machine: `POST /certificates` with a message as its body answers with its
 * certificate, `GET /certificates/HASH` with one that is kept, `GET /health` says that the member runs, `GET /totals`
 * what it did and refused.
 *
 * @param token that requests must bear, as `authorization: Bearer TOKEN`; undefined where none is asked for.
 */
export function certifierDoor(
  group: Pick<CertifyingGroup, 'certify' | 'certificate' | 'totals' | 'counts'>,
  token?: string,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let waiting = 0;
  return async (request, response) => {
    const { method, url = '' } = request;
    if (url === '/health' && method === 'GET') return json(response, 200, { status: 'ok' });
    if (token !== undefined && !bears(request, token)) return json(response, 401, { error: 'expected a token' });
    if (url === '/totals' && method === 'GET') return json(response, 200, { ...group.totals(), ...group.counts });
    const [, name] = namePattern.exec(url) ?? [];
    if (name !== undefined && method === 'GET') {
      const kept = group.certificate(name);
      return kept === undefined
        ? json(response, 404, { error: 'no certificate of that message' })
        : certificate(response, kept);
    }
    if (url !== '/certificates' || method !== 'POST') return json(response, 404, { error: 'no such path' });
    if (waiting >= mostRequests) return json(response, 503, { error: `${mostRequests} requests wait already` });
    waiting++;
    try {
      const body = await bodyOf(request);
      if (body === undefined) return json(response, 413, { error: `expected at most ${longestBody} bytes` });
      if (body.length === 0) return json(response, 400, { error: 'expected a message, got no bytes' });
      return certificate(response, await group.certify(body));
    } catch (error) {
      if (!(error instanceof WorldError)) throw error;
      return json(response, statusOf[error.code] ?? 500, { code: error.code, error: error.message });
    } finally {
      waiting--;
    }
  };
}

/** Hashed, so that comparing takes as long whatever the token is. */
function bears({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += (part as Buffer).length;
    if (length > longestBody) return undefined;
    parts.push(part as Buffer);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function certificate(
  response: ServerResponse,
  { name, certificate, signers }: NonNullable<ReturnType<CertifyingGroup['certificate']>>,
): void {
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'tutti-message': name,
    'tutti-signers': String(signers),
  });
  response.end(certificate);
}

function json(response: ServerResponse, status: number, document: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(document)}\n`);
}
