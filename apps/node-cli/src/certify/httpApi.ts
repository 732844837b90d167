import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type CertificateForm,
  type CertificateSubject,
  certificateForms,
  convertCertificate,
  decodeCertificate,
  membersOf,
} from '@tutti/certificates';
import type { Certified, CertifyingGroup } from '@tutti/certificates/groups';
import { EnvironmentError, toHex } from '@tutti/core/input';
import { requestTarget } from '@tutti/transports/node';
import type { Registry } from 'prom-client';
import { answerJson, type ServerOptions } from '../live/httpServer.ts';
import { counted } from '../output/text.ts';
import { aggregationOf, heightIn, messageOf, Refused, requireParameters, requireWarp } from './apiRequest.ts';
import { type After, afterTimeout, EventStreams, maxStreams } from './eventStreams.ts';

/** Maximum number of requests that may wait for a certificate at the same time. */
export const maxRequests = 256;
/**
 * Maximum time to wait for further signers after the first certificate, milliseconds. Avalanche's aggregator has the
 * same limit for a whole request.
 */
const aggregationMs = 55_000;

/** Options of the HTTP server of a member. */
export const apiServer: ServerOptions = {
  /** Maximum number of connections, which leaves room for incomplete requests. */
  maxConnections: 2 * (maxRequests + maxStreams),
  types: ['application/octet-stream', 'application/json'],
};

const namePattern = /^\/certificates\/([0-9a-f]{64})$/;

/** HTTP status of each error of a group. */
const statusOf: Readonly<Record<string, number>> = {
  'already-signed': 412,
  'reserved-message': 412,
  'too-many-messages': 503,
  'group-closed': 503,
  'signed-log-failed': 503,
  'gave-up': 504,
};

type ApiGroup = Pick<CertifyingGroup, 'certify' | 'certificate' | 'totals' | 'counts' | 'members' | 'on'>;

/** Options of {@link certifierApi}. */
export interface ApiOptions {
  readonly group: ApiGroup;
  readonly registry: CertificateSubject['registry'];
  readonly kernel: CertificateSubject['kernel'];
  /** Certificate form for requests that name none. */
  readonly form: CertificateForm;
  /** Token that requests must have, as `authorization: Bearer TOKEN`. Default: none. */
  readonly token?: string | undefined;
  readonly metrics?: Registry;
  /** True if a request must name a height. Default: false. */
  readonly needsHeight?: boolean;
  /** Returns the reason why this member cannot sign now, if any. Default: the member can always sign. */
  readonly failure?: () => EnvironmentError | undefined;
  /** Timers of event streams. Default: the timers of the process. */
  readonly after?: After;
}

/**
 * HTTP API of a group for programs.
 *
 * - `POST /certificates`, with a message as the body or with `?hash=HEX` for a message hash, returns the certificate of
 *   that message.
 * - `GET /certificates/HASH` returns a stored certificate. A client that accepts `text/event-stream` receives each
 *   better certificate as it arrives.
 * - `POST /aggregate-signatures` has the same interface as Avalanche's signature-aggregator.
 * - `GET /alive` succeeds if the process runs, and `/health` if the member can sign.
 * - `/totals`, `/members` and `/metrics` report the work of this member and of the other members.
 */
export function certifierApi(
  options: ApiOptions,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const api = new CertifierApi(options);
  return (request, response) => api.answer(request, response);
}

class CertifierApi {
  readonly #options: ApiOptions;
  readonly #streams: EventStreams;
  #waiting = 0;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#streams = new EventStreams(options.after ?? afterTimeout);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token } = this.#options;
    const { pathname = '', searchParams } = requestTarget(request.url) ?? {};
    const [, name] = namePattern.exec(pathname) ?? [];
    const path = `${request.method} ${name === undefined ? pathname : '/certificates/HASH'}`;
    try {
      if (searchParams === undefined) throw new Refused(400, 'request: expected a path');
      if (path === 'GET /alive') json(response, 200, { status: 'ok' });
      else if (path === 'GET /health') this.#health(response);
      else if (token !== undefined && !bears(request, token)) throw new Refused(401, 'expected a token');
      else if (name !== undefined && request.method === 'GET')
        await this.#certificate(name, searchParams, request, response);
      else if (path === 'POST /certificates') await this.#certify(searchParams, request, response);
      else if (path === 'POST /aggregate-signatures') await this.#aggregate(searchParams, request, response);
      else await this.#answerGet(path, response);
    } catch (error) {
      answerError(response, error, pathname);
    }
  }

  #health(response: ServerResponse): void {
    const failure = this.#options.failure?.();
    if (failure === undefined) json(response, 200, { status: 'ok' });
    else json(response, 503, { status: 'failed', code: failure.code, error: failure.message });
  }

  async #certify(asked: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { group, needsHeight = false } = this.#options;
    requireParameters(asked, ['format', 'hash', 'height']);
    const [form, height] = [this.#formOf(asked), heightIn(asked, needsHeight)];
    const message = await messageOf(request, asked);
    // The member signs nothing if the form cannot represent the certificate of this message.
    if (form === 'avalanche') requireWarp(message, 'body: expected an unsigned warp message, got a different message');
    const certified = await this.#limited(() => group.certify(message, { height }));
    this.#answerCertificate(response, certified, form);
  }

  async #certificate(
    name: string,
    asked: URLSearchParams,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    requireParameters(asked, ['format']);
    const form = this.#formOf(asked);
    const stored = this.#options.group.certificate(name);
    if (acceptsEvents(request)) await this.#stream(response, name, stored, form);
    else if (stored === undefined) throw new Refused(404, 'no certificate for this message');
    else this.#answerCertificate(response, stored, form);
  }

  async #answerGet(path: string, response: ServerResponse): Promise<void> {
    const { group, metrics } = this.#options;
    if (path === 'GET /totals') json(response, 200, { ...group.totals(), ...group.counts });
    else if (path === 'GET /members') {
      const members = group.members().map(({ weight, ...one }) => ({ ...one, weight: String(weight) }));
      json(response, 200, members);
    } else if (path === 'GET /metrics' && metrics !== undefined) {
      const body = await metrics.metrics();
      response.writeHead(200, { 'content-type': metrics.contentType }).end(body);
    } else throw new Refused(404, 'no such path');
  }

  /**
   * Runs a task of a request that has arrived completely.
   *
   * @throws Refused if the maximum number of tasks is already running.
   */
  async #limited<T>(task: () => Promise<T>): Promise<T> {
    if (this.#waiting >= maxRequests) throw new Refused(503, `${counted(maxRequests, 'request')} wait already`);
    this.#waiting++;
    try {
      return await task();
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

  #answerCertificate(response: ServerResponse, certified: Certified, form: CertificateForm): void {
    const body = this.#converted(certified, form);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'tutti-message': certified.name,
      'tutti-signers': String(certified.signers),
      'tutti-weight': String(weightOf(this.#options.registry, certified)),
      ...(certified.height === undefined ? {} : { 'tutti-height': String(certified.height) }),
    });
    response.end(body);
  }

  /**
   * Streams each better certificate of a message. The stream ends if all members have signed, if the form cannot represent
   * a certificate, or for a reason of {@link EventStreams}.
   */
  async #stream(
    response: ServerResponse,
    name: string,
    stored: Certified | undefined,
    form: CertificateForm,
  ): Promise<void> {
    const { group, registry } = this.#options;
    // Converts the certificate before the status is sent, so that the status can report that the form cannot represent
    // this message.
    if (stored !== undefined) this.#converted(stored, form);
    const stream = this.#streams.open(response);
    if (stream === undefined) throw new Refused(503, `${counted(maxStreams, 'stream')} are open already`);
    const write = (certified: Certified): void => {
      if (certified.name !== name) return;
      let certificate: string;
      try {
        certificate = toHex(this.#converted(certified, form));
      } catch (error) {
        stream.end();
        // The form cannot represent this certificate, and the server has already sent the status of the response.
        if (error instanceof Refused) return;
        throw error;
      }
      const weight = String(weightOf(registry, certified));
      stream.send({ message: name, signers: certified.signers, weight, certificate });
      if (certified.signers === registry.entries.length) stream.end();
    };
    const end = group.on('certificate', write);
    if (stored !== undefined) write(stored);
    await stream.ended;
    end();
  }

  /**
   * Responds to a request in the format of Avalanche's signature-aggregator. The signature-aggregator's validator sets
   * of other subnets and heights are not supported.
   */
  async #aggregate(asked: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { group, registry, needsHeight = false } = this.#options;
    requireParameters(asked, ['height']);
    const height = heightIn(asked, needsHeight);
    const { message, percent } = await aggregationOf(request);
    const entire = registry.entries.reduce((sum, { weight = 1n }) => sum + weight, 0n);
    const isEnough = (one: Certified): boolean => weightOf(registry, one) * 100n >= entire * BigInt(percent);
    const enough = await this.#limited(async () => {
      const first = await group.certify(message, { height });
      return isEnough(first) ? first : await grown(group, first.name, isEnough, response);
    });
    if (enough === undefined) throw new Refused(500, 'failed to collect a threshold of signatures');
    json(response, 200, { 'signed-message': toHex(this.#converted(enough, 'avalanche')) });
  }
}

function acceptsEvents({ headers }: IncomingMessage): boolean {
  const accepted = (headers.accept ?? '').split(',').map((one) => one.split(';', 1)[0]!.trim().toLowerCase());
  return accepted.includes('text/event-stream');
}

/**
 * Returns the first sufficient certificate of a message; undefined if no such certificate arrives within
 * {@link aggregationMs}, or if the client disconnects.
 */
function grown(
  group: ApiGroup,
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
    const timer = setTimeout(done, aggregationMs);
    const end = group.on('certificate', (one) => {
      if (one.name === name && isEnough(one)) done(one);
    });
    response.once('close', () => done());
    const stored = group.certificate(name);
    if (stored !== undefined && isEnough(stored)) done(stored);
    // The client may have disconnected before the first certificate arrived.
    else if (response.closed) done();
  });
}

/**
 * Returns whether a request has the token. The function compares hashes of both tokens, so that a comparison takes the
 * same time for every token.
 */
function bears({ headers }: IncomingMessage, token: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}

function answerError(response: ServerResponse, error: unknown, path: string): void {
  if (error instanceof Refused) {
    json(response, error.status, { error: error.message });
    return;
  }
  if (!(error instanceof EnvironmentError)) throw error;
  const { code, message } = error;
  const status = statusOf[code] ?? 500;
  // The signature-aggregator uses one status for all its failures. A member that cannot sign now responds with a
  // different status.
  if (path === '/aggregate-signatures')
    json(response, status === 503 ? 503 : 500, { error: `failed to aggregate signatures. error: ${message}` });
  else json(response, status, { code, error: message });
}

/** Sends a JSON document. If the response has begun, destroys the connection instead. */
function json(response: ServerResponse, status: number, document: object): void {
  if (response.headersSent) response.destroy();
  else answerJson(response, status, document);
}

/** Returns the total weight of a certificate's signers. */
function weightOf({ entries }: ApiOptions['registry'], { certificate }: Certified): bigint {
  const signers = membersOf(decodeCertificate(certificate)!.bits);
  return signers.reduce((sum, member) => sum + (entries[member]?.weight ?? 1n), 0n);
}
