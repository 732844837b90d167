import { availableParallelism } from 'node:os';
import { networkForms } from '@tutti/simulation';
import { networkText } from '@tutti/simulation/internal';
import {
  type ClientPreset,
  clientPresetNames,
  clientPresets,
  defaultNetworkScenario,
  hornAttacks,
  type LinkClass,
  linkPresetNames,
  linkPresets,
  type MachineName,
  machineNames,
  type NetworkScenario,
  type NodeDistribution,
  nodeDistributions,
  type PostQuantumCosts,
  postQuantumCosts,
  type VotingSystem,
  type VotingSystemName,
  votingSystems,
} from '@tutti/simulation/slots';
import { type Command, Option } from 'commander';
import {
  badChoiceValue,
  badValue,
  choiceFlag,
  durationFlag,
  flagOf,
  integerFlag,
  numberFlag,
  seedFlag,
} from '../flags.ts';
import '../networks.ts';

/** What the flags of a slot on Ethereum's network say. */
export interface NetworkFlags {
  readonly validators: number;
  readonly beaconNodes: number;
  readonly distribution: NodeDistribution;
  readonly links: readonly LinkClass[];
  readonly reserved: number;
  readonly machine: MachineName;
  readonly cores: number;
  readonly client: ClientPreset;
  readonly keySums: NetworkScenario['keySums'];
  readonly idontwant: boolean;
  readonly sendTimeout: boolean;
  readonly participation: number;
  readonly network: string;
  readonly subcommittees?: number;
  readonly aggregators?: number;
  readonly collectors?: number;
  readonly slotMs?: number;
  readonly parts?: readonly number[];
  readonly pq?: Partial<PostQuantumCosts>;
  readonly eve: number;
  readonly eveAttack: string;
  readonly inRow: number;
  readonly seed: number;
  /** Slots played at once. */
  readonly jobs: number;
}

const hornAttackNames = hornAttacks.map(({ name }) => name);

const share = (flag: string, least: number, most: number) =>
  numberFlag(flag, `a number from ${least} to ${most}`, (value) => value >= least && value <= most);

export function addNetworkFlags(command: Command): Command {
  const { seed } = defaultNetworkScenario;
  return addSlotFlags(addNodeFlags(command))
    .option('--seed <n>', 'an integer from 0 to 4294967295', seedFlag, seed)
    .addOption(jobsOption());
}

/** The network and its nodes. */
function addNodeFlags(command: Command): Command {
  const { validators, nodes, distribution, client, keySums, participation, reserved } = defaultNetworkScenario;
  return command
    .option('--validators <n>', '64 to 1048576', integerFlag('--validators', 64, 2 ** 20), validators)
    .option(
      '--beacon-nodes <n>',
      'nodes that host the validators, 16 to 20000',
      integerFlag('--beacon-nodes', 16, 20_000),
      nodes,
    )
    .option(
      '--distribution <name>',
      `how validators are spread over nodes: ${nodeDistributions.join(', ')}`,
      choiceFlag('--distribution', nodeDistributions),
      distribution,
    )
    .addOption(
      new Option('--links <name>', `one of ${linkPresetNames.join(', ')}, or DOWN/UP in Mbps for all`)
        .argParser(linksFlag)
        .default(linkPresets['eip-7870'], '"eip-7870"'),
    )
    .option('--reserved <share>', 'share of every link kept for other traffic', share('--reserved', 0, 0.99), reserved)
    .option(
      '--machine <name>',
      `one of ${machineNames.join(', ')}`,
      choiceFlag('--machine', machineNames),
      client.machine,
    )
    .option('--cores <n>', 'cores of each machine that verify', integerFlag('--cores', 1, 256), client.cores)
    .option(
      '--client <name>',
      `how messages are verified: ${clientPresetNames.join(', ')}`,
      choiceFlag('--client', clientPresetNames),
      'lighthouse',
    )
    .option(
      '--key-sums <name>',
      'how the key of a bitfield is summed: naive or subtracting',
      choiceFlag('--key-sums', ['naive', 'subtracting'] as const),
      keySums,
    )
    .option('--no-idontwant', 'gossipsub without IDONTWANT')
    .option('--no-send-timeout', 'let copies wait for a link as long as it takes, and drop none')
    .option(
      '--participation <share>',
      'share of the validators that vote',
      share('--participation', 0.01, 1),
      participation,
    )
    .option('--network <model>', `latencies: ${networkForms}`, networkFlag, defaultNetworkScenario.network);
}

/** What is played on it. */
function addSlotFlags(command: Command): Command {
  return command
    .option('--subcommittees <n>', 'of a committee', integerFlag('--subcommittees', 1, 4096))
    .option('--aggregators <n>', 'intended number in a subcommittee', integerFlag('--aggregators', 1, 4096))
    .option(
      '--collectors <n>',
      'intended number in a committee, if the system has collectors',
      integerFlag('--collectors', 1, 4096),
    )
    .option(
      '--slot-ms <ms>',
      "length of a slot; its parts keep their proportions (default: the system's)",
      durationFlag('--slot-ms', 100),
    )
    .option(
      '--parts <a:b:c>',
      "proportions of a slot: the time until votes, until aggregates, until collections if there are any, and until the block (default: the system's)",
      partsFlag,
    )
    .option('--pq <name=value,...>', `what hash-based signatures cost: ${pqNames.join(', ')}`, pqFlag)
    .option('--eve <share>', "share of the validators that are Eve's, on nodes of hers", share('--eve', 0, 0.99), 0)
    .option(
      '--eve-attack <name>',
      `what she does: ${hornAttackNames.join(', ')}`,
      choiceFlag('--eve-attack', hornAttackNames),
      'griefing',
    )
    .option(
      '--in-row <n>',
      'play at most this many slots in a row while each leaves the next a backlog',
      integerFlag('--in-row', 1, 32),
      3,
    );
}

/** How many slots are played at once. */
export function jobsOption(): Option {
  return new Option('--jobs <n>', 'slots played in parallel')
    .argParser(integerFlag('--jobs', 1, 1024))
    .default(availableParallelism(), 'one a core');
}

/** Classes of links by name, or one of all nodes. */
export function linksFlag(text: string): readonly LinkClass[] {
  const [, down, up] = /^([\d.]+)\/([\d.]+)$/.exec(text) ?? [];
  if (down !== undefined && up !== undefined && Number(down) > 0 && Number(up) > 0) {
    return [{ name: text, share: 1, downMbps: Number(down), upMbps: Number(up) }];
  }
  const name = linkPresetNames.find((one) => one === text);
  if (name === undefined)
    throw badChoiceValue('--links', linkPresetNames, text, `${linkPresetNames.join(' or ')} or DOWN/UP in Mbps`);
  return linkPresets[name];
}

/** Parts of a slot. */
export function partsFlag(text: string): readonly number[] {
  const parts = text.split(':').map(Number);
  if (parts.length < 3 || parts.length > 4 || !parts.every((one) => one > 0 && one <= 1e6)) {
    throw badValue('--parts', 'three or four numbers over 0 with colons between', text);
  }
  return parts;
}

const pqNames = Object.keys(postQuantumCosts).filter(
  (name): name is keyof PostQuantumCosts => name !== 'recursionSeconds',
);

function pqFlag(text: string): Partial<PostQuantumCosts> {
  const given = text.split(',').map((one) => one.split('=') as [string, string | undefined]);
  for (const [name, value] of given) {
    if (!pqNames.includes(name as keyof PostQuantumCosts) || !(Number(value) > 0 && Number(value) <= 1e9)) {
      throw badChoiceValue('--pq', pqNames, text, `NAME=VALUE over 0, with one of ${pqNames.join(', ')}`, name);
    }
  }
  return Object.fromEntries(given.map(([name, value]) => [name, Number(value)]));
}

export const networkFlag = flagOf('--network', networkText);

/** The scenario that the flags say, of one system. */
export function networkScenario(system: VotingSystemName, flags: NetworkFlags): NetworkScenario {
  const of: VotingSystem = votingSystems[system];
  const changes = {
    ...(flags.subcommittees !== undefined && { subcommittees: flags.subcommittees }),
    ...(flags.aggregators !== undefined && { aggregators: flags.aggregators }),
    ...(flags.collectors !== undefined && of.collectors > 0 && { collectors: flags.collectors }),
    ...((flags.slotMs !== undefined || flags.parts !== undefined) && times(of, flags.slotMs ?? of.slotMs, flags.parts)),
  };
  const { gossip } = defaultNetworkScenario;
  return {
    ...defaultNetworkScenario,
    system,
    changes,
    validators: flags.validators,
    nodes: flags.beaconNodes,
    distribution: flags.distribution,
    links: flags.links,
    reserved: flags.reserved,
    client: { ...clientPresets[flags.client], machine: flags.machine, cores: flags.cores },
    keySums: flags.keySums,
    gossip: {
      ...gossip,
      ...(!flags.idontwant && { idontwantBytes: undefined }),
      ...(!flags.sendTimeout && { forwardWaitMs: undefined, publishWaitMs: undefined }),
    },
    network: flags.network,
    participation: flags.participation,
    postQuantum: { ...postQuantumCosts, ...flags.pq },
    attacks: flags.eve > 0 ? [{ name: flags.eveAttack, share: flags.eve }] : [],
    seed: flags.seed,
  };
}

/**
 * When the parts of a slot begin: in the system's proportions, or in those given.
 *
 * @throws UsageError when the system has another number of parts.
 */
function times(of: VotingSystem, slotMs: number, parts: readonly number[] | undefined): Partial<VotingSystem> {
  const isHandel = of.gathering === 'handel';
  const hasCollections = of.collectors > 0 && !isHandel;
  const factor = slotMs / of.slotMs;
  const { attestMs, aggregateMs, collectMs, blockMs } = of;
  const proportional = [attestMs, aggregateMs, collectMs].map((ms) => ms * factor) as [number, number, number];
  if (parts === undefined) return timesOf(proportional, blockMs * factor);
  const most = hasCollections ? 4 : 3;
  if (parts.length !== most) throw badValue('--parts', `${most} numbers for this system`, parts.join(':'));
  const all = parts.reduce((sum, one) => sum + one, 0);
  const at = (count: number): number => (slotMs * parts.slice(0, count).reduce((sum, one) => sum + one, 0)) / all;
  return timesOf([at(1), at(2), hasCollections ? at(3) : isHandel ? at(2) : 0], slotMs);

  function timesOf([attest, aggregate, collect]: [number, number, number], block: number): Partial<VotingSystem> {
    return { attestMs: attest, aggregateMs: aggregate, collectMs: collect, slotMs, blockMs: block };
  }
}
