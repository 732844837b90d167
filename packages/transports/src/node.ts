/**
 * The transports and servers of Node. {@link openTransport} opens UDP or TCP, {@link loadNodeRtc} loads WebRTC for
 * `openWebRtc`, and {@link attachSignalling} adds the server through which browsers meet to your own HTTP server.
 * {@link transportChecks} checks a transport that you have written.
 *
 * @example
 * ```js
 * import { openUdp } from '@tutti/transports/node';
 *
 * const [alice, bob] = [await openUdp({ host: '127.0.0.1' }), await openUdp({ host: '127.0.0.1' })];
 * const heard = new Promise((resolve) => bob.onPacket((bytes) => resolve(new TextDecoder().decode(bytes))));
 * alice.send(bob.local, new TextEncoder().encode('one voice'));
 * console.log(await heard);
 * await Promise.all([alice.close(), bob.close()]);
 * ```
 *
 * ```text
 * one voice
 * ```
 *
 * @packageDocumentation
 */
import { type RegistryTransport, registryTransports } from '@tutti/core';
import { EnvironmentError, requireObject } from '@tutti/core/input';
import type { Clock } from './runtime/clock.ts';
import { openUdp, type UdpOptions } from './sockets/udp.ts';
import { openTcp, type TcpOptions } from './tcp/tcp.ts';
import type { Transport } from './transport/transport.ts';

export {
  type Stranger,
  type TransportCheck,
  type TransportFactory,
  transportChecks,
} from './compliance.ts';
export { nodeCrypto } from './crypto/node.ts';
export {
  type AdmissionRefusal,
  type AdmissionRules,
  type AskedRequest,
  namesWith,
  refusedRequest,
  requestTarget,
} from './http/admission.ts';
export { type HubLimits, hubSettings } from './signalling/hubLimits.ts';
export { type SignallingRefusal, signallingRefusals } from './signalling/messages.ts';
export {
  attachSignalling,
  type SignallingServer,
  type SignallingServerOptions,
  signallingPath,
} from './signalling/server.ts';
export { openUdp, type UdpOptions } from './sockets/udp.ts';
export type { SocksProxy } from './tcp/dial.ts';
export { openTcp, type TcpCounters, type TcpOptions, type TcpTransport } from './tcp/tcp.ts';
export { listenError } from './transport/transport.ts';

/** Functions that open the transports which a registry can specify. */
const openers = { udp: openUdp, tcp: openTcp } satisfies Record<RegistryTransport, unknown>;

/** Options for `openTransport`: the name of a transport together with the options of that transport. */
export type OpenTransportOptions = ({ readonly kind: 'udp' } & UdpOptions) | ({ readonly kind: 'tcp' } & TcpOptions);

/**
 * Opens a transport by name.
 *
 * @throws EnvironmentError `address-in-use`, `address-unavailable` or `socket-failed`; TypeError for invalid options,
 * RangeError for an unknown kind or an invalid port.
 */
export async function openTransport(options: OpenTransportOptions): Promise<Transport> {
  requireObject('options', options);
  const { kind } = options;
  if (!Object.hasOwn(openers, kind))
    throw new RangeError(`kind: expected ${registryTransports.join(' or ')}, got ${String(kind)}`);
  return openers[kind](options);
}

/**
 * Loads a WebRTC implementation for Node, which has no built-in one: @roamhq/wrtc, an optional dependency with prebuilt
 * libraries for common systems.
 *
 * @throws EnvironmentError `webrtc-missing`.
 */
export async function loadNodeRtc(): Promise<unknown> {
  try {
    const { default: rtc } = await import('@roamhq/wrtc');
    return rtc;
  } catch (cause) {
    throw new EnvironmentError(
      'webrtc-missing',
      'WebRTC: expected the package @roamhq/wrtc, which is optional, got none that loads; run npm install @roamhq/wrtc, or join with a browser',
      { cause },
    );
  }
}

/**
 * Returns the reading of the machine's monotonic clock, ns. All processes on the machine read the same monotonic clock.
 */
export function monotonicNs(): bigint {
  return process.hrtime.bigint();
}

/** Returns a clock whose origin is the instant `originNs` of {@link monotonicNs}. */
export function monotonicClock(originNs: bigint): Clock {
  return { nowUs: () => Math.floor(Number(monotonicNs() - originNs) / 1000) };
}
