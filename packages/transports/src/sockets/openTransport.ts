import { requireObject } from '../arguments.ts';
import { openTcp, type TcpOptions } from '../tcp/tcp.ts';
import type { Transport } from '../transport/transport.ts';
import { openUdp, type UdpOptions } from './udp.ts';

/** What `openTransport` takes: the name of a transport, and that transport's own options. */
export type OpenTransportOptions = ({ readonly kind: 'udp' } & UdpOptions) | ({ readonly kind: 'tcp' } & TcpOptions);

export type TransportKind = OpenTransportOptions['kind'];

/** The names that `openTransport` knows, as registries and command lines write them. */
export const transportKinds: readonly TransportKind[] = ['udp', 'tcp'];

/**
 * Opens a transport by its name.
 *
 * @throws WorldError `address-in-use`, `address-unavailable` or `socket-failed`; TypeError for options that are
 *   none, RangeError for a kind or a port that there is not.
 */
export async function openTransport(options: OpenTransportOptions): Promise<Transport> {
  requireObject('options', options);
  switch (options.kind) {
    case 'udp':
      return openUdp(options);
    case 'tcp':
      return openTcp(options);
    default:
      throw new RangeError(
        `kind: expected ${transportKinds.join(' or ')}, got ${String((options as { kind?: unknown }).kind)}`,
      );
  }
}
