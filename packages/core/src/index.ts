export { BitsetScheme } from './contribution/bitsetScheme.ts';
export { CountingScheme } from './contribution/countingScheme.ts';
export {
  type DecodedMultiplicities,
  type MultiplicityContribution,
  type MultiplicityKernel,
  MultiplicityScheme,
  type Subcommittees,
} from './contribution/multiplicityScheme.ts';
export type { KeyGroup } from './contribution/multiplicitySum.ts';
export {
  type Claim,
  type MultiSignatureOptions,
  MultiSignatureScheme,
  type SignatureKernel,
  type SignatureRefusal,
  type SignatureVerifier,
  type WireForm,
} from './contribution/multiSignatureScheme.ts';
export type { AggregationScheme, DecodedContribution, ForgingScheme } from './contribution/scheme.ts';
export {
  type ContactRule,
  contactRules,
  defaultHandelConfig,
  type FixedWindow,
  type HandelConfig,
  type Mechanism,
  mechanisms,
  paperWindow,
  type RelativeWindow,
  relativeWindow,
  type WindowConfig,
} from './handel/config.ts';
export { HandelMemory, type HandelMemoryOptions } from './handel/memory.ts';
export { HandelNode, type HandelOptions } from './handel/node.ts';
export { nextWindowSize, type WindowRanks, windowRanks } from './handel/window.ts';
export { IndependentPriorities } from './overlay/independentPriorities.ts';
export { ShiftedPriorities } from './overlay/shiftedPriorities.ts';
export { invert, shuffle, shuffleBy } from './overlay/shuffle.ts';
export {
  type Branching,
  branchings,
  levelCount,
  type PeerSet,
  peerSet,
  Tree,
  type TreeForm,
  treeForms,
} from './overlay/tree.ts';
export type { VerificationPriorities } from './overlay/verificationPriority.ts';
export {
  type Contribution,
  largestBatch,
  MessageFlag,
  noContribution,
  type Port,
  type ProtocolNode,
  TraceKind,
} from './protocol.ts';
export { RandomStream } from './random.ts';
export {
  type Refusal,
  refusalName,
  type ScreeningRefusal,
  type SealRefusal,
  screeningRefusals,
  type WireRefusal,
  wireRefusals,
} from './refusals.ts';
export { isThreshold, partOf, thresholdCount, thresholdForm, thresholdText } from './shares.ts';
export { version } from './version.ts';
export {
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  longestMessageBytes,
  messageBytes,
} from './wire/message.ts';
