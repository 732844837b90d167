import { requireArray, requireObject, requireText } from '@tutti/core/input';

/** Rules for the requests that an HTTP server of this project answers. */
export interface AdmissionRules {
  /**
   * Origins of pages on other servers that may send requests, written as in browsers (`https://page.example`); `*`
   * stands for every page.
   */
  readonly origins: readonly string[];
  /** Host names of this server, without a port. IP addresses and `localhost` are always accepted as host names. */
  readonly names: readonly string[];
  /** Accepted media types for the body of a request. A body without a media type is accepted. Default: none. */
  readonly types?: readonly string[];
  /** Whether a link on any page may open this server's pages. Default: false. */
  readonly links?: boolean;
  /**
   * Whether a frame on any page may open this server's pages. The content security policy in each response states which
   * pages may be framed. Default: false.
   */
  readonly frames?: boolean;
}

/** The part of an HTTP request that is checked. `IncomingMessage` of `node:http` implements it. */
export interface AskedRequest {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Header names and values in alternation, as received. */
  readonly rawHeaders: readonly string[];
}

/** Reason why a request is rejected. */
export type AdmissionRefusal =
  | 'malformed-request'
  | 'unknown-host'
  | 'foreign-origin'
  | 'unsupported-body'
  | 'too-many-connections';

/** HTTP status and message for each rejection code. */
const answers: Readonly<Record<AdmissionRefusal, readonly [status: number, error: string]>> = {
  'malformed-request': [
    400,
    'request: expected one Host and a path in valid percent-encoding, got a malformed request',
  ],
  'unknown-host': [
    421,
    'Host: expected an IP address, localhost or a name of this server, got another name or none; add this name with --name when starting the server',
  ],
  'foreign-origin': [
    403,
    'Origin: expected a page of this server or a program other than a browser, got a page of another site',
  ],
  'unsupported-body': [
    415,
    'body: expected no body, or a body without Content-Type and Content-Encoding, got other headers',
  ],
  'too-many-connections': [503, 'connections: the server has its maximum number of connections; try again later'],
};

/** Returns the response to a rejected request: a status, and one line with the expected value. */
export function admissionAnswer(
  code: AdmissionRefusal,
  { types = [] }: AdmissionRules,
): { readonly status: number; readonly error: string } {
  const [status, error] = answers[code];
  if (code !== 'unsupported-body' || types.length === 0) return { status, error };
  return {
    status,
    error: `body: expected Content-Type ${types.join(' or ')} and no Content-Encoding, got other headers`,
  };
}

/**
 * Checks a request before any part of the request is used. Every HTTP server of this project calls this function,
 * including for WebSockets and on Unix sockets.
 *
 * - A page from another origin is rejected (RFC 6455, section 10.2), because a browser would give the page access to
 *   the local network. `Origin` identifies the page; `Sec-Fetch-Site` reveals a foreign page if a browser sends no
 *   `Origin`. A program other than a browser sends neither header.
 * - A host name that does not belong to this server is rejected, because a page can make its own name resolve to this
 *   server (DNS rebinding).
 * - A body with a media type that the server does not accept is rejected. Pages may send the media types of HTML forms
 *   to any server, so no server in this project accepts those types.
 *
 * @returns the rejection code, or undefined if the request may be answered.
 */
export function admissionRefusal(request: AskedRequest, rules: AdmissionRules): AdmissionRefusal | undefined {
  requireObject('request', request);
  requireObject('request.headers', request.headers);
  requireArray('request.rawHeaders', request.rawHeaders);
  requireObject('rules', rules);
  const target = requestTarget(request.url);
  const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (target === undefined || hosts.length > 1) return 'malformed-request';
  const own = hostOf(header(request, 'host'));
  if (own === undefined || !isKnown(own, rules)) return 'unknown-host';
  // An absolute target overrides the Host header (RFC 9112, section 3.2.2).
  if (target.host !== placeholder && !isKnown(target, rules)) return 'unknown-host';
  if (isForeign(request, own, rules)) return 'foreign-origin';
  return isReadable(request, rules) ? undefined : 'unsupported-body';
}

/** Returns the code and the response for a rejected request, or undefined if the request may be answered. */
export function refusedRequest(
  request: AskedRequest,
  rules: AdmissionRules,
): { readonly code: AdmissionRefusal; readonly status: number; readonly error: string } | undefined {
  const code = admissionRefusal(request, rules);
  return code === undefined ? undefined : { code, ...admissionAnswer(code, rules) };
}

/** Returns the given host names, together with the machine's own name and its name on the local network (`.local`). */
export function namesWith(machine: string, names: readonly string[]): string[] {
  requireText('machine', machine);
  requireArray('names', names);
  return [...names, machine, `${machine}.local`];
}

/** Host name used for a request target without a host. */
const placeholder = 'this-server.invalid';

/**
 * Returns the target of a request as a URL; the target is a path or a complete `http` or `https` URL. The function
 * returns undefined for any other target, and for percent-encoding that is not valid UTF-8 or contains NUL.
 */
export function requestTarget(text: string | undefined): URL | undefined {
  if (typeof text !== 'string' || !/^(?:\/(?!\/)|https?:\/\/[^/])/i.test(text) || text.includes('\\')) return undefined;
  try {
    if (decodeURIComponent(text).includes('\0')) return undefined;
    return new URL(text.startsWith('/') ? `http://${placeholder}${text}` : text);
  } catch {
    return undefined;
  }
}

/** Returns the value of a header. Several values are joined as in HTTP. */
function header({ headers }: AskedRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** Returns the URL of a Host header, which contains a host and possibly a port. */
function hostOf(host: string | undefined): URL | undefined {
  if (host === undefined || !/^(?:\[[0-9a-f:.]+\]|[^\s:/\\?#@[\]]+)(?::\d{1,5})?$/i.test(host)) return undefined;
  return urlOf(`http://${host}`);
}

function urlOf(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return url.hostname === '' ? undefined : url;
}

function isKnown({ hostname }: URL, { names }: AdmissionRules): boolean {
  // In a URL, an IPv6 address is in brackets and an IPv4 address consists of four decimal numbers, regardless of the
  // original notation.
  const isAddress = hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
  return isAddress || hostname === 'localhost' || names.some((name) => hostname === name.toLowerCase());
}

function isForeign(
  request: AskedRequest,
  own: URL,
  { origins, links = false, frames = false }: AdmissionRules,
): boolean {
  if (origins.includes('*')) return false;
  const origin = header(request, 'origin');
  const site = header(request, 'sec-fetch-site');
  if (origin !== undefined) {
    const page = urlOf(origin);
    if (page === undefined) return true;
    // All URLs of other schemes have the origin `null`, so schemes and hosts are compared instead of origins.
    if (origins.map(urlOf).some((one) => one?.protocol === page.protocol && one.host === page.host)) return false;
    // Behind TLS the page uses https and this server http, so the default ports differ. The check therefore compares
    // only the hosts.
    const isOwn = /^https?:$/.test(page.protocol) && page.host === own.host;
    return !isOwn || (site !== undefined && site !== 'same-origin');
  }
  // The value `same-site` counts as foreign, because it includes pages on other ports of this machine.
  if (site === undefined || site === 'same-origin' || site === 'none') return false;
  const opens = header(request, 'sec-fetch-mode') === 'navigate' ? header(request, 'sec-fetch-dest') : undefined;
  const isOpened = (links && opens === 'document') || (frames && opens === 'iframe');
  return !(isOpened && (request.method === 'GET' || request.method === 'HEAD'));
}

/** Returns whether the server accepts the body of the request, if there is one. */
function isReadable(request: AskedRequest, { types = [] }: AdmissionRules): boolean {
  const coding = header(request, 'content-encoding');
  if (coding !== undefined && coding.trim().toLowerCase() !== 'identity') return false;
  const transfer = header(request, 'transfer-encoding');
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') return false;
  const hasBody = transfer !== undefined || !/^0*$/.test(header(request, 'content-length') ?? '');
  const type = header(request, 'content-type');
  if (!hasBody || type === undefined) return true;
  return types.includes(type.split(';', 1)[0]!.trim().toLowerCase());
}
