import { isIP } from 'node:net';
import { type ListedEntry, openTransport, TRANSPORT_KINDS, type Transport, WorldError } from '@tutti/transports';
import { UsageError } from '../usageError.ts';

/**
 * Opens the transport of a registry's entry.
 *
 * @param bind where to listen, when that is not where others reach the node: behind a forwarded port, or an onion.
 * @throws WorldError when its transport is not there, or the address cannot be had; UsageError when it must be said where to listen.
 */
export async function openNodeTransport(
  entries: readonly ListedEntry[],
  index: number,
  bind: { readonly host: string; readonly port?: number } | undefined,
): Promise<Transport> {
  const { transport: wanted, endpoint } = entries[index]!;
  const other = entries.findIndex(({ transport }) => transport !== wanted);
  if (other !== -1)
    throw new WorldError(
      'mixed-transports',
      `registry entry ${other}: transport: expected ${wanted}, as of entry ${index}, got ${entries[other]!.transport}; a node reaches its peers by one transport`,
    );
  const kind = TRANSPORT_KINDS.find((one) => one === wanted);
  if (kind === undefined)
    throw new WorldError('no-such-transport', `registry entry ${index}: transport: ${wanted} cannot be opened here`);
  if (bind === undefined && isIP(endpoint.host) === 0)
    throw new UsageError(`--bind: expected where to listen, for ${endpoint.host} is a name that others know it by`);
  const at = { host: bind?.host ?? endpoint.host, port: bind?.port ?? endpoint.port };
  return kind === 'tcp'
    ? openTransport({ kind, ...at, publicEndpoint: endpoint })
    : openTransport({ kind, ...at } as Parameters<typeof openTransport>[0]);
}
