/**
 * The protocols with which the paper compares Handel, behind the same port: {@link CompleteGraphNode} (every node sends
 * to every other), {@link SanFerminNode}, {@link GossipOfIndividualsNode} and {@link GossipOfAggregatesNode}, and the
 * mesh that gossip runs on.
 *
 * They can replace a `HandelNode` in a simulation or over real sockets; `simulate` runs them by name
 * (`protocol: 'san-fermin'`).
 *
 * @example
 * ```js
 * import { CountingScheme, Tree } from '@tutti/core';
 * import { SanFerminNode } from '@tutti/core/protocols';
 *
 * const scheme = new CountingScheme(new Tree(16));
 * const port = {
 *   nowUs: () => 0,
 *   send: (to, level) => console.log(`asks node ${to}, its partner on level ${level}`),
 *   setTimer: () => {},
 *   verify: () => 1,
 *   output: () => {},
 *   refuse: () => {},
 *   trace: () => {},
 * };
 * const own = scheme.individual(6);
 * new SanFerminNode({ id: 6, scheme, threshold: 16, candidates: 1, replyTimeoutMs: 300, own, port }).start();
 * ```
 *
 * ```text
 * asks node 7, its partner on level 1
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
export { type ExhaustedRule, exhaustedRules, SanFerminNode, type SanFerminOptions } from './baselines/sanFermin.ts';
export { createMesh, type Mesh } from './overlay/mesh.ts';
