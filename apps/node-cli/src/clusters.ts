/**
 * `@tutti/node-cli/clusters`: processes of real nodes on one machine, their reports, and the document of a run.
 *
 * An extension's scheme must create its `Group` with the class exported here, because the command has its own copy of
 * `@tutti/transports`.
 */
export { Group, type GroupKernel } from '@tutti/transports';
export { deliver, portsText, requireOutputs, signatureFault } from './cluster/deliver.ts';
export {
  type ClusterDocument,
  type ClusterScenario,
  clusterDocument,
  type KeyFiles,
  measuredTable,
  outcomeRows,
  roundsTable,
} from './cluster/document.ts';
export {
  type ClusterSetup,
  type FromMember,
  MemberProcess,
  type MemberReport,
  type ProcessProgress,
} from './cluster/memberProcess.ts';
export {
  Beacon,
  commitmentOf,
  defaultPeriodMs,
  defaultPeriodText,
  leadMs,
  machineClock,
  nextStartUs,
  type PlannedRound,
  plannedRounds,
} from './cluster/plannedRounds.ts';
export { type ClusterOutcome, type RoundOutcome, refusedBy, roundOutcome } from './cluster/roundOutcome.ts';
export {
  aggregating,
  type ReadyCluster,
  type ReportedProgress,
  readyCluster,
  timeIsUp,
} from './cluster/runCluster.ts';
export type { Signer, Signers, SignersModule } from './cluster/signers.ts';
export { type Run, signalled, untilEnded } from './cluster/untilEnded.ts';
export { type ClusterOptions, withClusterFlags } from './clusterFlags.ts';
export { type ClusterScheme, runAsAsked } from './clusterRuns.ts';
