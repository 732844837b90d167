export {
  CompleteGraphNode,
  type CompleteGraphOptions,
  type GraphVerification,
  graphVerifications,
} from './baselines/completeGraph.ts';
export { GossipOfAggregatesNode, type GossipOfAggregatesOptions } from './baselines/gossipOfAggregates.ts';
export { GossipOfIndividualsNode, type GossipOptions } from './baselines/gossipOfIndividuals.ts';
export { createMesh, type Mesh } from './baselines/mesh.ts';
export { SanFerminNode, type SanFerminOptions } from './baselines/sanFermin.ts';
