import type { Command } from 'commander';
import { type CastOptions, castFlags } from './castFlags.ts';
import { defaultPeriodText } from './cluster/plannedRounds.ts';
import type { ClusterProtocolName } from './cluster/protocols.ts';
import { forceFlag, jsonFlag } from './commonFlags.ts';
import { choice, type FlagsOf, flag, integer, withFlags, words } from './flags.ts';
import { type HandelFlags, withHandelFlags } from './handelFlags.ts';
import { impairmentFlag } from './impairmentFlag.ts';
import { type InsecureRunOptions, withInsecureRunFlags } from './insecureRunFlags.ts';

const maxRounds = 10_000;

const nodeFlags = { nodes: flag('<n>', 'nodes, 1 to 4096', integer(1, 4096), 64) };

const runFlags = {
  rounds: flag(
    '<n>',
    'number of consecutive rounds on the same sockets; a round ends when all nodes have reached the threshold',
    integer(1, maxRounds),
    1,
  ),
  latency: flag(
    '<model>',
    "aws: delay each datagram according to the paper's latency matrix; none: add no delay",
    choice(['aws', 'none']),
    'none',
  ),
  impair: flag(
    '<shares>',
    'faults applied to sent packets, such as loss=0.2,duplication=0.1,reordering=0.1',
    () => impairmentFlag,
  ),
  processes: flag('<n>', 'number of processes that host the nodes (default: one per core, at most 4)', integer(1, 64)),
  json: jsonFlag,
  out: flag(
    '<file>',
    'also write the result as a JSON document to this file, and the public keys next to it; for a directory, the file name is cluster.json',
    words,
  ),
  force: forceFlag,
  portsFile: flag(
    '<file>',
    "write the addresses of the nodes' sockets to this file just before the start, for tests that attack the nodes",
    words,
  ),
};

/** Flags of every cluster, for any signature scheme. */
export type ClusterOptions = HandelFlags &
  InsecureRunOptions &
  CastOptions & { readonly protocol?: ClusterProtocolName } & FlagsOf<typeof nodeFlags & typeof runFlags>;

/** Adds the flags of every cluster. */
export function withClusterFlags(command: Command): Command {
  withFlags(command, nodeFlags, { nodes: 'n' });
  withHandelFlags(command, { text: `the dissemination period, ms (default: ${defaultPeriodText})` });
  withInsecureRunFlags(command, {
    message:
      'message that the nodes sign; {round} is replaced by the round number, which is appended if {round} is absent',
    seed: 'keys',
    timeout: ', all rounds together',
    timeoutSeconds: 60,
  });
  return withFlags(command, { ...runFlags, ...castFlags });
}
