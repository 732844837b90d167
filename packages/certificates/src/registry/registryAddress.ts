import type { Endpoint, RegistryTransport } from '@tutti/core';
import { requireText } from '@tutti/core/input';
import ipaddr from 'ipaddr.js';

/** Ranges of addresses, under ipaddr.js's names, that no single node can have. */
const unassignableRanges: readonly string[] = ['unspecified', 'broadcast', 'multicast'];

/** Pattern of a label in a host name (RFC 1123, section 2.1). */
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** Pattern of the label before `.onion`: key, checksum and version in base32 (Tor's rend-spec-v3, section 6). */
const onionLabel = /^[a-z2-7]{56}$/i;

/**
 * Kinds of hosts that each transport allows. A host name requires a transport that opens connections, so that the node
 * or its proxy resolves the name for each connection.
 */
const hostsOf: { readonly [K in RegistryTransport]: 'addresses' | 'names' } = { udp: 'addresses', tcp: 'names' };

/** Returns a description of a transport's allowed hosts, for errors. */
export function expectedHost(transport: RegistryTransport): string {
  return hostsOf[transport] === 'names' ? 'an IP address, a host name, or an address under .onion' : 'an IP address';
}

/** Returns whether a node with this transport can have this host; see {@link expectedHost}. */
export function isHostFor(transport: RegistryTransport, host: string): boolean {
  requireText('host', host);
  return isNodeAddress(host) || (hostsOf[transport] === 'names' && isHostName(host));
}

/**
 * Returns the canonical text of a host: each address has one text (RFC 5952), and an IPv4-mapped IPv6 address becomes
 * IPv4.
 */
export function canonicalHost(host: string): string {
  requireText('host', host);
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return host;
  return ipaddr.IPv6.isValid(host) ? ipaddr.process(host).toString() : host.toLowerCase();
}

/**
 * Returns the canonical text of an address with its transport. Different notations of an address have the same text.
 */
export function placeOf(transport: RegistryTransport, { host, port }: Endpoint): string {
  return `${transport} ${canonicalHost(host)} ${port}`;
}

/**
 * Returns whether a node can have this address. The address must have no zone and must not use older notations, which
 * read 010.0.0.1 as 8.0.0.1.
 */
function isNodeAddress(host: string): boolean {
  if (host.includes('%')) return false;
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host)) return false;
  return !unassignableRanges.includes(ipaddr.process(host).range());
}

function isHostName(host: string): boolean {
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((one) => label.test(one))) return false;
  if (labels.at(-1)!.toLowerCase() === 'onion') return labels.length > 1 && onionLabel.test(labels.at(-2)!);
  // A host whose last label consists only of digits is a mistyped address.
  return !/^\d+$/.test(labels.at(-1)!);
}
