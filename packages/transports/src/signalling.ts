/**
 * The server through which browsers meet. It informs the members of a room about each other, and forwards the data that
 * they need to connect. It does not see what they sign. {@link attachSignalling} adds it to your own HTTP server.
 * Members join with `joinSignalling` of `@tutti/transports/browser`. Node only.
 *
 * @example
 * ```js
 * import { createServer } from 'node:http';
 * import { attachSignalling, signallingPath } from '@tutti/transports/signalling';
 *
 * const server = createServer().listen(0, '127.0.0.1');
 * const signalling = await attachSignalling(server);
 * console.log(`members join at ${signallingPath}`);
 * signalling.close();
 * server.close();
 * ```
 *
 * ```text
 * members join at /signal
 * ```
 *
 * @packageDocumentation
 */
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
export { listenError } from './transport/listenError.ts';
