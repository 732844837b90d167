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
export { shownText } from './room/shownText.ts';
export { hubSettings } from './signalling/hub.ts';
export { listenError } from './transport/listenError.ts';
