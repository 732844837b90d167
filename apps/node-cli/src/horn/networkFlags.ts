import {
  type ClientPreset,
  clientPresetNames,
  clientPresets,
  defaultNetworkScenario,
  type LinkPreset,
  linkPresetNames,
  linkPresets,
  type MachineName,
  machineNames,
  type NetworkScenario,
  type NodeDistribution,
  nodeDistributions,
  type VotingSystemName,
  votingSystems,
} from '@tutti/core/horn';
import { createNetwork, networkForms } from '@tutti/core/simulation';
import type { Command } from 'commander';
import { badValue, choiceFlag, durationFlag, integerFlag, numberFlag, seedFlag } from '../flags.ts';

/** What the flags of a slot on Ethereum's network say. */
export interface NetworkFlags {
  readonly validators: number;
  readonly beaconNodes: number;
  readonly distribution: NodeDistribution;
  readonly links: LinkPreset;
  readonly reserved: number;
  readonly machine: MachineName;
  readonly cores: number;
  readonly client: ClientPreset;
  readonly keySums: NetworkScenario['keySums'];
  readonly idontwant: boolean;
  readonly participation: number;
  readonly network: string;
  readonly subcommittees?: number;
  readonly aggregators?: number;
  readonly collectors?: number;
  readonly slotMs?: number;
  readonly inRow: number;
  readonly seed: number;
}

export function addNetworkFlags(command: Command): Command {
  const { validators, nodes, distribution, client, keySums, participation, reserved, seed } = defaultNetworkScenario;
  const share = (flag: string, least: number, most: number) =>
    numberFlag(flag, `a number from ${least} to ${most}`, (value) => value >= least && value <= most);
  return command
    .option('--validators <n>', '64 to 1048576', integerFlag('--validators', 64, 2 ** 20), validators)
    .option('--beacon-nodes <n>', 'that host them, 16 to 20000', integerFlag('--beacon-nodes', 16, 20_000), nodes)
    .option(
      '--distribution <name>',
      `validators over nodes: ${nodeDistributions.join(', ')}`,
      choiceFlag('--distribution', nodeDistributions),
      distribution,
    )
    .option(
      '--links <name>',
      `one of ${linkPresetNames.join(', ')}`,
      choiceFlag('--links', linkPresetNames),
      'eip-7870',
    )
    .option('--reserved <share>', 'of every link, for other traffic', share('--reserved', 0, 0.99), reserved)
    .option(
      '--machine <name>',
      `one of ${machineNames.join(', ')}`,
      choiceFlag('--machine', machineNames),
      client.machine,
    )
    .option('--cores <n>', 'of each machine, that verify', integerFlag('--cores', 1, 256), client.cores)
    .option(
      '--client <name>',
      `how messages are verified: ${clientPresetNames.join(', ')}`,
      choiceFlag('--client', clientPresetNames),
      'lighthouse',
    )
    .option(
      '--key-sums <how>',
      'how the key of a bitfield is summed',
      choiceFlag('--key-sums', ['naive', 'subtracting'] as const),
      keySums,
    )
    .option('--no-idontwant', 'gossipsub without IDONTWANT')
    .option(
      '--participation <share>',
      'of the validators, those that vote',
      share('--participation', 0.01, 1),
      participation,
    )
    .option('--network <model>', `latencies: ${networkForms}`, networkFlag, defaultNetworkScenario.network)
    .option('--subcommittees <n>', 'of a committee', integerFlag('--subcommittees', 1, 4096))
    .option('--aggregators <n>', 'aimed at, of a subcommittee', integerFlag('--aggregators', 1, 4096))
    .option(
      '--collectors <n>',
      'aimed at, of a committee, where the system has any',
      integerFlag('--collectors', 1, 4096),
    )
    .option(
      '--slot-ms <ms>',
      "length of a slot; its parts keep their proportions (default: the system's)",
      durationFlag('--slot-ms', 100),
    )
    .option(
      '--in-row <n>',
      'slots played one after another, at most, where one leaves a backlog to the next',
      integerFlag('--in-row', 1, 32),
      3,
    )
    .option('--seed <n>', 'an integer from 0 to 4294967295', seedFlag, seed);
}

/** A network's name. */
export function networkFlag(text: string): string {
  try {
    createNetwork(text, 1, 0);
    return text;
  } catch {
    throw badValue('--network', networkForms, text);
  }
}

/** The scenario that the flags say, of one system. */
export function networkScenario(system: VotingSystemName, flags: NetworkFlags): NetworkScenario {
  const of = votingSystems[system];
  const factor = flags.slotMs === undefined ? 1 : flags.slotMs / of.slotMs;
  const changes = {
    ...(flags.subcommittees !== undefined && { subcommittees: flags.subcommittees }),
    ...(flags.aggregators !== undefined && { aggregators: flags.aggregators }),
    ...(flags.collectors !== undefined && of.collectors > 0 && { collectors: flags.collectors }),
    ...(factor !== 1 && {
      attestMs: of.attestMs * factor,
      aggregateMs: of.aggregateMs * factor,
      collectMs: of.collectMs * factor,
      slotMs: of.slotMs * factor,
      blockMs: of.blockMs * factor,
    }),
  };
  const { gossip } = defaultNetworkScenario;
  return {
    ...defaultNetworkScenario,
    system,
    changes,
    validators: flags.validators,
    nodes: flags.beaconNodes,
    distribution: flags.distribution,
    links: linkPresets[flags.links],
    reserved: flags.reserved,
    client: { ...clientPresets[flags.client], machine: flags.machine, cores: flags.cores },
    keySums: flags.keySums,
    gossip: flags.idontwant ? gossip : { ...gossip, idontwantBytes: undefined },
    network: flags.network,
    participation: flags.participation,
    seed: flags.seed,
  };
}
