import { isIP } from 'node:net';
import type { ListedEntry } from '@tutti/certificates';
import type { Endpoint } from '@tutti/core';
import { WorldError } from '@tutti/core/input';
import type { Transport } from '@tutti/transports';
import { openTransport } from '@tutti/transports/raw';
import { UsageError } from '../context.ts';

interface TransportOptions {
  /** Address to listen on, if it differs from the public one: behind a forwarded port, or an onion name. */
  readonly bind?: { readonly host: string; readonly port?: number };
  /** The flag that sets `bind`. Default `--bind`. */
  readonly bindFlag?: string;
  /** SOCKS5 proxy through which TCP connections are opened. */
  readonly proxy?: Endpoint;
}

/**
 * Opens the transport of a registry's entry.
 *
 * @throws WorldError if the registry's transports are mixed, or the address cannot be bound; UsageError if the address
 * to listen on is required, or for a proxy without TCP.
 */
export async function openNodeTransport(
  entries: readonly ListedEntry[],
  index: number,
  { bind, bindFlag = '--bind', proxy }: TransportOptions,
): Promise<Transport> {
  const { transport: kind, endpoint } = entries[index]!;
  const other = entries.findIndex(({ transport }) => transport !== kind);
  if (other !== -1)
    throw new WorldError(
      'mixed-transports',
      `registry entry ${other}: transport: expected ${kind}, as in entry ${index}, got ${entries[other]!.transport}; all nodes of a registry must use the same transport`,
    );
  if (proxy !== undefined && kind !== 'tcp')
    throw new UsageError(`--proxy: expected a registry with transport tcp, got ${kind}`);
  if (bind === undefined && isIP(endpoint.host) === 0)
    throw new UsageError(`${bindFlag}: expected an address to listen on, because ${endpoint.host} is a public name`);
  const at = { host: bind?.host ?? endpoint.host, port: bind?.port ?? endpoint.port };
  if (kind !== 'tcp') return openTransport({ kind, ...at });
  return openTransport({ kind, ...at, publicEndpoint: endpoint, ...(proxy === undefined ? {} : { proxy }) });
}
