import { isIP } from 'node:net';
import { expectedHost, isHostFor } from '@tutti/certificates';
import { type Endpoint, type RegistryTransport, registryTransports } from '@tutti/core';
import type { Command } from 'commander';
import { UsageError } from '../context.ts';
import { badValue, choiceFlag, type FlagReader, integerFlag } from '../flags.ts';
import type { ServerPlace } from '../live/httpServer.ts';
import { counted } from '../output/text.ts';

/** Splits HOST:PORT or [ADDRESS]:PORT; undefined for any other text or a port above 65,535. */
function splitEndpoint(text: string): Endpoint | undefined {
  const [, address, name = '', digits] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  return port <= 65_535 ? { host: address ?? name, port } : undefined;
}

/** Reads an address of the form HOST:PORT or [ADDRESS]:PORT, with a port from 1 to 65,535. */
export const proxyFlag: FlagReader<Endpoint> = (text) => {
  const endpoint = splitEndpoint(text);
  if (endpoint !== undefined && endpoint.port > 0) return endpoint;
  throw badValue('--proxy', 'HOST:PORT or [ADDRESS]:PORT', text);
};

/** Address to listen on, or public address of a node. Default of the port: that of the node's registry entry. */
export interface Bind {
  readonly host: string;
  readonly port?: number;
}

/**
 * Reads the public address of a node, HOST, HOST:PORT or [ADDRESS]:PORT, whose host at least one transport can reach.
 */
export const listenFlag: FlagReader<Bind> = (text) => {
  if (isHostFor('tcp', text)) return { host: text };
  const endpoint = splitEndpoint(text);
  if (endpoint !== undefined && endpoint.port > 0 && isHostFor('tcp', endpoint.host)) return endpoint;
  throw badValue('--listen', 'an IP address, a host name or an onion address, optionally followed by :PORT', text);
};

/** Reads an address to listen on: ADDRESS, ADDRESS:PORT or [ADDRESS]:PORT, where port 0 selects a free port. */
export const bindFlag =
  (flag: string): FlagReader<Bind> =>
  (text) => {
    if (isIP(text) !== 0) return { host: text };
    const endpoint = splitEndpoint(text);
    if (endpoint !== undefined && isIP(endpoint.host) !== 0) return endpoint;
    throw badValue(flag, 'an IP address, optionally followed by :PORT', text);
  };

/** Addresses for the nodes of a new registry: one host and consecutive ports. */
export interface AddressOptions {
  readonly transport: RegistryTransport;
  readonly host: string;
  readonly port: number;
}

/** Adds the flags for the addresses of a new registry's nodes to a command. */
export function withAddressFlags(command: Command): Command {
  return command
    .option('--transport <name>', 'udp or tcp', choiceFlag('--transport', registryTransports), 'udp')
    .option(
      '--host <address>',
      'address to listen on: an IP address; over TCP also a host name or an onion address',
      '127.0.0.1',
    )
    .option(
      '--port <port>',
      'port of the first node; the other nodes use the following ports',
      integerFlag('--port', 1, 65_535),
      9000,
    );
}

/**
 * Checks that the given number of nodes can have addresses.
 *
 * @throws UsageError if the transport does not support the host, or if there are too few ports.
 */
export function requireAddresses({ transport, host, port }: AddressOptions, count: number): void {
  if (!isHostFor(transport, host)) throw badValue('--host', `${expectedHost(transport)} for ${transport}`, host);
  if (port + count - 1 > 65_535)
    throw new UsageError(`--port: expected at most ${65_536 - count} for ${counted(count, 'node')}, got ${port}`);
}

/** Reads the location of a server: HOST:PORT, [ADDRESS]:PORT or unix:PATH. */
export const httpFlag: FlagReader<ServerPlace> = (text) => {
  if (text.startsWith('unix:') && text.length > 'unix:'.length) return { path: text.slice('unix:'.length) };
  const endpoint = splitEndpoint(text);
  if (endpoint === undefined) throw badValue('--http', 'HOST:PORT, [ADDRESS]:PORT or unix:PATH', text);
  return endpoint;
};

/**
 * Returns the beginning of a URL; callers append the path of a request.
 *
 * @param port port on which the server listens.
 */
export function placeText(place: ServerPlace, port: number): string {
  if (place.path !== undefined) return `unix:${place.path}:`;
  const host = place.host.includes(':') ? `[${place.host}]` : place.host;
  return `http://${host}:${port}`;
}
