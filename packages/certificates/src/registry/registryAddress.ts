import { requireText } from '@tutti/core/input';
import type { Endpoint, RegistryTransport } from '@tutti/core/registry';
import ipaddr from 'ipaddr.js';

/** Ranges of addresses (ipaddr.js's names) at which no single node can be. */
const nobodys: readonly string[] = ['unspecified', 'broadcast', 'multicast'];

/** A label of a host name (RFC 1123, section 2.1). */
const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** The label before `.onion`: key, checksum and version in base32 (Tor's rend-spec-v3, section 6). */
const onionLabel = /^[a-z2-7]{56}$/i;

/** What each transport's peers may be called; a host name needs a connection, or a proxy, that asks whoever knows it. */
const hostsOf: { readonly [K in RegistryTransport]: 'addresses' | 'names' } = { udp: 'addresses', tcp: 'names' };

/** What a transport's peers may be called, in words for people. */
export function expectedHost(transport: RegistryTransport): string {
  return hostsOf[transport] === 'names' ? 'an IP address, a host name, or an address under .onion' : 'an IP address';
}

/** Whether a node can be at this host, by this transport: see {@link expectedHost}. */
export function isHostFor(transport: RegistryTransport, host: string): boolean {
  requireText('host', host);
  return isNodeAddress(host) || (hostsOf[transport] === 'names' && isHostName(host));
}

/** A host as all nodes write it: one text for one address (RFC 5952), and IPv4 where an IPv6 address stands for one. */
export function canonicalHost(host: string): string {
  requireText('host', host);
  if (ipaddr.IPv4.isValidFourPartDecimal(host)) return host;
  return ipaddr.IPv6.isValid(host) ? ipaddr.process(host).toString() : host.toLowerCase();
}

/** The same text for the same place, however it is written: what two nodes cannot share. */
export function placeOf(transport: RegistryTransport, { host, port }: Endpoint): string {
  return `${transport} ${canonicalHost(host)} ${port}`;
}

/**
 * An address that a node can have, of no machine's own zone, and not in the older forms that read 010.0.0.1 as 8.0.0.1.
 */
function isNodeAddress(host: string): boolean {
  if (host.includes('%')) return false;
  if (!ipaddr.IPv4.isValidFourPartDecimal(host) && !ipaddr.IPv6.isValid(host)) return false;
  return !nobodys.includes(ipaddr.process(host).range());
}

function isHostName(host: string): boolean {
  const labels = host.split('.');
  if (host.length > 253 || !labels.every((one) => label.test(one))) return false;
  if (labels.at(-1)!.toLowerCase() === 'onion') return labels.length > 1 && onionLabel.test(labels.at(-2)!);
  // What ends in digits only is an address mistyped.
  return !/^\d+$/.test(labels.at(-1)!);
}
