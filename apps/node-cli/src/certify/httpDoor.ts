import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fromHex, toHex, WorldError } from '@tutti/transports';
import {
  type CertificateForm,
  type CertificateSubject,
  type Certified,
  type CertifyingGroup,
  certificateForms,
  convertCertificate,
  decodeSignedWarp,
  encodeSignedWarp,
} from '@tutti/transports/certificates';
import type { Registry } from 'prom-client';
import { signalled } from '../cluster/signalled.ts';
import { counted } from '../numbers.ts';
import { weightOf } from './certifiedWeight.ts';

/** The longest message that is certified, bytes. */
const longestBody = 65_536;
/** As JSON, in hexadecimal, with what stands beside it. */
const longestRequest = 2 * longestBody + 65_536;
/** Requests that wait for a certificate at a time. */
const mostRequests = 256;
/** How long an aggregator's client waits: what the one of Avalanche takes at most. */
const aggregationMs = 55_000;
const signatureBytes = 96;

const namePattern = /^\/certificates\/([0-9a-f]{64})$/;

/** What each error of a group is to whoever asked. */
const statusOf: Readonly<Record<string, number>> = {
  'already-signed': 412,
  'message-is-identity': 412,
  'too-many-messages': 503,
  'group-closed': 503,
  'gave-up': 504,
};

/** What is wrong with a request. */
class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type DoorGroup = Pick<CertifyingGroup, 'certify' | 'certificate' | 'totals' | 'counts' | 'members' | 'on'>;

export interface DoorOptions {
  readonly group: DoorGroup;
  readonly registry: CertificateSubject['registry'];
  readonly kernel: CertificateSubject['kernel'];
  /** In which certificates are given where a request names none. */
  readonly form: CertificateForm;
  /** That requests must bear, as `authorization: Bearer TOKEN`; undefined where none is asked for. */
  readonly token?: string | undefined;
  readonly metrics?: Registry;
}

/**
 * A group's door for programs: `POST /certificates` with a message as its body, or `?hash=HEX` of one, answers with its
 * certificate; `GET /certificates/HASH` with one that is kept, or, to who accepts `text/event-stream`, each better one as
 * it comes; `POST /aggregate-signatures` speaks as Avalanche's signature-aggregator does. `GET /health` says that the
 * member runs, `/totals`, `/members` and `/metrics` what it and the others did.
 */
export function certifierDoor(
  options: DoorOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const door = new Door(options);
  return (request, response) => door.answer(request, response);
}

class Door {
  readonly #options: DoorOptions;
  #waiting = 0;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { group, token, metrics } = this.#options;
    const { method } = request;
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://door');
    if (pathname === '/health' && method === 'GET') return json(response, 200, { status: 'ok' });
    if (token !== undefined && !bears(request, token)) return json(response, 401, { error: 'expected a token' });
    if (method === 'GET' && pathname === '/totals') return json(response, 200, { ...group.totals(), ...group.counts });
    if (method === 'GET' && pathname === '/members')
      return json(
        response,
        200,
        group.members().map(({ weight, ...one }) => ({ ...one, weight: String(weight) })),
      );
    if (method === 'GET' && pathname === '/metrics' && metrics !== undefined) {
      response.writeHead(200, { 'content-type': metrics.contentType });
      response.end(await metrics.metrics());
      return;
    }
    const [, name] = namePattern.exec(pathname) ?? [];
    const isPost = method === 'POST' && ['/certificates', '/aggregate-signatures'].includes(pathname);
    if (!isPost && (method !== 'GET' || name === undefined)) return json(response, 404, { error: 'no such path' });
    if (this.#waiting >= mostRequests)
      return json(response, 503, { error: `${counted(mostRequests, 'request')} wait already` });
    this.#waiting++;
    try {
      if (pathname === '/aggregate-signatures') return json(response, 200, await this.#aggregate(request, response));
      const form = this.#formOf(searchParams);
      if (isPost) return this.#give(response, await group.certify(await messageOf(request, searchParams)), form);
      if (request.headers.accept === 'text/event-stream') return await this.#stream(response, name!, form);
      const kept = group.certificate(name!);
      if (kept === undefined) throw new Refused(404, 'no certificate of that message');
      this.#give(response, kept, form);
    } catch (error) {
      answerError(response, error, pathname);
    } finally {
      this.#waiting--;
    }
  }

  #formOf(asked: URLSearchParams): CertificateForm {
    const form = asked.get('format') ?? this.#options.form;
    if ((certificateForms as string[]).includes(form)) return form as CertificateForm;
    throw new Refused(400, `format: expected ${certificateForms.join(', ')}, got ${form.slice(0, 40)}`);
  }

  #converted({ bytes, certificate }: Certified, form: CertificateForm): Uint8Array {
    const { registry, kernel } = this.#options;
    try {
      return convertCertificate(form, certificate, { registry, bytes, kernel });
    } catch (error) {
      if (error instanceof RangeError) throw new Refused(400, error.message);
      throw error;
    }
  }

  #give(response: ServerResponse, certified: Certified, form: CertificateForm): void {
    const body = this.#converted(certified, form);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'tutti-message': certified.name,
      'tutti-signers': String(certified.signers),
      'tutti-weight': String(weightOf(this.#options.registry, certified)),
    });
    response.end(body);
  }

  /** Each certificate of a message, as it grows, until all have signed or the client has gone. */
  async #stream(response: ServerResponse, name: string, form: CertificateForm): Promise<void> {
    const { group, registry } = this.#options;
    const gone = signalled();
    const tell = (certified: Certified): void => {
      if (certified.name !== name) return;
      const certificate = toHex(this.#converted(certified, form));
      const weight = String(weightOf(registry, certified));
      response.write(`data: ${JSON.stringify({ message: name, signers: certified.signers, weight, certificate })}\n\n`);
      if (certified.signers === registry.entries.length) gone.resolve();
    };
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
    response.flushHeaders();
    response.once('close', () => gone.resolve());
    const end = group.on('certificate', tell);
    const kept = group.certificate(name);
    if (kept !== undefined) tell(kept);
    await gone.promise;
    end();
    response.end();
  }

  /** What Avalanche's signature-aggregator is asked, and answers. Its sets of other subnets and heights are not ours. */
  async #aggregate(request: IncomingMessage, response: ServerResponse): Promise<object> {
    const { group, registry } = this.#options;
    const { message, percent } = aggregationOf(await bodyOf(request, longestRequest));
    const entire = registry.entries.reduce((sum, { weight = 1n }) => sum + weight, 0n);
    const isEnough = (one: Certified): boolean => weightOf(registry, one) * 100n >= entire * BigInt(percent);
    const first = await group.certify(message);
    const enough = isEnough(first) ? first : await grown(group, first.name, isEnough, response);
    if (enough === undefined) throw new Refused(500, 'failed to collect a threshold of signatures');
    return { 'signed-message': toHex(this.#converted(enough, 'avalanche')) };
  }
}

/** The first certificate of a message that is enough; undefined where none comes in time, or the client goes. */
function grown(
  group: DoorGroup,
  name: string,
  isEnough: (one: Certified) => boolean,
  response: ServerResponse,
): Promise<Certified | undefined> {
  return new Promise((resolve) => {
    const done = (one?: Certified): void => {
      clearTimeout(timer);
      end();
      resolve(one);
    };
    const timer = setTimeout(done, aggregationMs, undefined);
    const end = group.on('certificate', (one) => {
      if (one.name === name && isEnough(one)) done(one);
    });
    response.once('close', () => done());
    const kept = group.certificate(name);
    if (kept !== undefined && isEnough(kept)) done(kept);
  });
}

/** @throws Refused in the aggregator's words. */
function aggregationOf(body: Uint8Array): { readonly message: Uint8Array; readonly percent: number } {
  let asked: Record<string, unknown>;
  try {
    asked = Object(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    throw new Refused(400, 'Could not decode request body');
  }
  const { message: text, 'quorum-percentage': quorum = 0 } = asked;
  if (typeof text !== 'string' || text === '') throw new Refused(400, 'Must provide either message or justification');
  const digits = text.replace(/^0x/, '');
  const message = fromHex(digits, digits.length / 2);
  if (message === undefined) throw new Refused(400, 'Could not decode message');
  if (decodeSignedWarp(encodeSignedWarp(message, [], new Uint8Array(signatureBytes))) === undefined)
    throw new Refused(400, 'Could not parse warp message');
  if (typeof quorum !== 'number' || !Number.isInteger(quorum) || quorum < 0 || quorum > 100)
    throw new Refused(400, 'Invalid quorum number');
  return { message, percent: quorum === 0 ? 67 : quorum };
}

/** The body, or the hash itself where one is given. */
async function messageOf(request: IncomingMessage, asked: URLSearchParams): Promise<Uint8Array> {
  const hash = asked.get('hash');
  const bytes = hash === null ? await bodyOf(request, longestBody) : fromHex(hash, hash.length / 2);
  if (bytes === undefined) throw new Refused(400, 'hash: expected hexadecimal digits');
  if (bytes.length === 0) throw new Refused(400, 'expected a message, got no bytes');
  return bytes;
}

/** Hashed, so that comparing takes as long whatever the token is. */
function bears({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}

async function bodyOf(request: IncomingMessage, longest: number): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    length += (part as Buffer).length;
    if (length > longest) throw new Refused(413, `expected at most ${counted(longest, 'byte')}`);
    parts.push(part as Buffer);
  }
  return new Uint8Array(Buffer.concat(parts));
}

function answerError(response: ServerResponse, error: unknown, path: string): void {
  if (error instanceof Refused) json(response, error.status, { error: error.message });
  else if (!(error instanceof WorldError)) throw error;
  else if (path === '/aggregate-signatures')
    json(response, 500, { error: `failed to aggregate signatures. error: ${error.message}` });
  else json(response, statusOf[error.code] ?? 500, { code: error.code, error: error.message });
}

function json(response: ServerResponse, status: number, document: object): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(document)}\n`);
}
