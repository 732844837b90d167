/**
 * What this project's command and page take of the transports that is no part of their API: it may change with any
 * version.
 *
 * @internal
 */
export {
  type AdmissionRules,
  namesWith,
  refusedRequest,
  requestTarget,
} from './http/admission.ts';
export { canonicalHost, expectedHost, isHostFor, registryTransports } from './registry/registryAddress.ts';
export { refuseSharedAddresses, shareText } from './registry/registryFile.ts';
export { requireRegistry } from './registry/verifyRegistry.ts';
export { shownText } from './room/shownText.ts';
export { hubSettings } from './signalling/hub.ts';
export { listenError } from './transport/listenError.ts';
