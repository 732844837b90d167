/**
 * Handel for your own network: the node and its port, the tree, the aggregation schemes, the encoding of messages, and
 * the registry of members. The protocols that the paper compares with Handel use the same port.
 *
 * {@link HandelNode} is a state machine without a clock, a socket, randomness or a curve; `docs/guides/embed-handel.md`
 * describes the requirements for its port. {@link readableHandel} creates a node with the same behaviour from one file
 * that is meant to be read alongside the paper. {@link CountingScheme} only counts signers, for simulations and tests.
 * {@link MultiSignatureScheme} aggregates real signatures, with a kernel such as `@tutti/wasm-bls`.
 * {@link encodeMessage} and {@link decodeMessage} implement the wire format; bytes that cannot be decoded result in a
 * rejection code, never in an exception. `@tutti/transports` runs nodes over real sockets.
 *
 * {@link CompleteGraphNode}, {@link SanFerminNode}, {@link GossipOfIndividualsNode} and {@link GossipOfAggregatesNode}
 * can replace a {@link HandelNode} in a simulation and over real sockets.
 *
 * A registry lists the members of a group with their keys, weights, addresses and proofs, and contains the terms on
 * which the members agree. {@link registryDigest} identifies a registry, {@link verifyEntry} verifies the proofs of one
 * entry. `@tutti/certificates` reads and writes registries as files.
 *
 * @example
 * ```js
 * import { CountingScheme, defaultHandelConfig, HandelNode, ShiftedPriorities, Tree } from '@tutti/core';
 *
 * const scheme = new CountingScheme(new Tree(8));
 * const priorities = new ShiftedPriorities(8, 1);
 * const config = { ...defaultHandelConfig, threshold: 8 };
 * const port = {
 *   nowUs: () => 0,
 *   send: (to, level) => console.log(`to node ${to} on level ${level}`),
 *   setTimer: (delayUs) => console.log(`wake me in ${delayUs / 1000} ms`),
 *   verify: () => 1,
 *   output: () => {},
 *   refuse: () => {},
 *   trace: () => {},
 * };
 * new HandelNode({ id: 5, config, scheme, priorities, own: scheme.individual(5), port }).start();
 * ```
 *
 * ```text
 * to node 4 on level 1
 * wake me in 50 ms
 * wake me in 20 ms
 * ```
 *
 * @packageDocumentation
 */
export {
  CompleteGraphNode,
  type CompleteGraphOptions,
  type GraphVerification,
  graphVerifications,
} from './baselines/completeGraph.ts';
export { GossipOfAggregatesNode, type GossipOfAggregatesOptions } from './baselines/gossipOfAggregates.ts';
export { GossipOfIndividualsNode, type GossipOptions } from './baselines/gossipOfIndividuals.ts';
export { individualMessages, relayedMessages, wholeMessages } from './baselines/messages.ts';
export {
  type ExhaustedRule,
  exhaustedRules,
  SanFerminNode,
  type SanFerminOptions,
  sanFerminSettings,
} from './baselines/sanFermin.ts';
export { type BlsVariant, blsLengths, blsPublicKeyBytes, blsSignatureBytes } from './bls.ts';
export { BitsetScheme } from './contribution/bitsetScheme.ts';
export { CountingScheme } from './contribution/countingScheme.ts';
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
  backOffRule,
  defaultHandelConfig,
  type FixedWindow,
  type HandelConfig,
  handelSettings,
  type Mechanism,
  mechanisms,
  nextWindowSize,
  paperHandelConfig,
  paperWindow,
  type RelativeWindow,
  relativeWindow,
  validateHandelConfig,
  type WindowConfig,
  type WindowRanks,
  windowRanks,
} from './handel/config.ts';
export { type ReadableHandelOptions, readableHandel } from './handel/handel.ts';
export { type HandelRules, HandelTimer, type HandelView, type QueuedEntry } from './handel/options.ts';
export { HandelMemory, type HandelMemoryOptions } from './handel/packed/memory.ts';
export { HandelNode, type HandelOptions } from './handel/packed/node.ts';
export { createMesh, type Mesh } from './overlay/mesh.ts';
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
export {
  IndependentPriorities,
  ShiftedPriorities,
  type VerificationPriorities,
} from './overlay/verificationPriority.ts';
export {
  type Contribution,
  ForwardingPort,
  largestBatch,
  type Message,
  MessageFlag,
  noContribution,
  type Port,
  type ProtocolNode,
  requirePort,
  TraceKind,
} from './protocol.ts';
export { invert, RandomStream, shuffle, shuffleBy } from './random.ts';
export {
  type MessageRefusal,
  refusalName,
  type ScreeningRefusal,
  type SealRefusal,
  screeningRefusals,
  type WireRefusal,
  wireRefusals,
} from './refusals.ts';
export {
  canonicalNetworkKey,
  identityStatement,
  isWeakNetworkKey,
  looksLikeIdentity,
  networkKeyBytes,
  registrationStatement,
  registryBeaconStatement,
  ringKeyStatement,
} from './registry/identity.ts';
export {
  type AgreedRegistry,
  blsVariantOf,
  defaultThreshold,
  type Endpoint,
  type ProvenEntry,
  type RegistryEntry,
  type RegistryHash,
  type RegistryTerms,
  type RegistryTransport,
  type RegistryVerifier,
  registryDigest,
  registryParts,
  registryTransports,
  type Share,
  verifyEntry,
  weightsOf,
} from './registry/registry.ts';
export { isThreshold, percentText, thresholdCount, thresholdForm, thresholdText } from './shares.ts';
export { minWeight, Quorum, type Requirement, Stakes, sumOfWeights, weightLimit } from './stakes/stakes.ts';
export { WeightedPriorities } from './stakes/weightedPriorities.ts';
export { version } from './version.ts';
export {
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  levelMessages,
  longestMessageBytes,
  type MessageForm,
  type MessageHead,
  messageBytes,
} from './wire/message.ts';
