import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Which pages may speak to a signalling server, and by which names it may be called. */
export interface AdmissionRules {
  /**
   * Origins of pages beside the server's own, as browsers write them (`https://page.example`); `*` admits every page.
   */
  readonly origins: readonly string[];
  /** Host names of this server, without a port. IP addresses and `localhost` are always among them. */
  readonly names: readonly string[];
}

/** Why a request may not open a connection. */
export type AdmissionRefusal = 'unknown-host' | 'foreign-origin' | 'too-many-connections';

/**
 * Whether a request may open a connection; the code of the refusal when it may not.
 *
 * A page of another origin is turned away (RFC 6455, section 10.2): a browser would lend it its place in the network. A
 * name that is not this server's is what a page has that had its own name point here to look like the server's own.
 * Without an Origin there is no page: a program can say what it likes and hears only what anybody with the room's name
 * hears.
 */
export function admissionRefusal(
  { host, origin }: { readonly host?: string | undefined; readonly origin?: string | undefined },
  { origins, names }: AdmissionRules,
): AdmissionRefusal | undefined {
  const own = hostOf(`http://${host ?? ''}`);
  if (own === undefined) return 'unknown-host';
  const known =
    isAddress(own.hostname) ||
    own.hostname === 'localhost' ||
    names.some((name) => own.hostname === name.toLowerCase());
  if (!known) return 'unknown-host';
  if (origin === undefined || origins.includes('*')) return undefined;
  const page = hostOf(origin);
  if (page === undefined) return 'foreign-origin';
  // Behind TLS the page is https and this server http, so that the default ports differ: the host says enough.
  return page.host === own.host || origins.some((one) => hostOf(one)?.origin === page.origin)
    ? undefined
    : 'foreign-origin';
}

function hostOf(url: string): URL | undefined {
  if (!URL.canParse(url)) return undefined;
  const parsed = new URL(url);
  return parsed.hostname === '' ? undefined : parsed;
}

function isAddress(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

/**
 * Whose a connection is, for the limits of each address. One household or one machine has an IPv6 network of 64 bits,
 * so that one of those counts as one address.
 *
 * @param behindProxy takes the last address of X-Forwarded-For, which the proxy in front of this server wrote.
 */
export function clientAddress(
  {
    headers,
    socket,
  }: {
    readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
    readonly socket: { readonly remoteAddress?: string | undefined };
  },
  behindProxy: boolean,
): string {
  const forwarded = [headers['x-forwarded-for']].flat().at(-1)?.split(',').at(-1)?.trim();
  const text = (behindProxy ? forwarded : undefined) ?? socket.remoteAddress ?? '';
  if (!ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as ipaddr.IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
