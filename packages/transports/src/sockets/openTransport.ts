import { type RegistryTransport, registryTransports } from '@tutti/core';
import { requireObject } from '@tutti/core/input';
import { openTcp, type TcpOptions } from '../tcp/tcp.ts';
import type { Transport } from '../transport/transport.ts';
import { openUdp, type UdpOptions } from './udp.ts';

/** Name of a transport that a registry can specify. */
export type TransportKind = RegistryTransport;

/** Options of each transport. */
export interface OptionsOf extends Record<TransportKind, object> {
  udp: UdpOptions;
  tcp: TcpOptions;
}

/** Options of `openTransport`: the name of a transport together with that transport's own options. */
export type OpenTransportOptions = { [K in TransportKind]: { readonly kind: K } & OptionsOf[K] }[TransportKind];

const openers: { readonly [K in TransportKind]: (options: OptionsOf[K]) => Promise<Transport> } = {
  udp: openUdp,
  tcp: openTcp,
};

/**
 * Opens a transport by its name.
 *
 * @throws WorldError `address-in-use`, `address-unavailable` or `socket-failed`; TypeError for invalid options,
 *   RangeError for an unknown kind or an invalid port.
 */
export async function openTransport(options: OpenTransportOptions): Promise<Transport> {
  requireObject('options', options);
  const { kind } = options;
  if (!Object.hasOwn(openers, kind))
    throw new RangeError(`kind: expected ${registryTransports.join(' or ')}, got ${String(kind)}`);
  return (openers[kind] as (options: OpenTransportOptions) => Promise<Transport>)(options);
}
