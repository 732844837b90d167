import { availableParallelism } from 'node:os';
import { networkForms } from '@tutti/simulation';
import {
  type ClientShare,
  clientPresetNames,
  clientPresets,
  defaultNetworkScenario,
  hornAttacks,
  inProportion,
  type LinkClass,
  linkPresetNames,
  linkPresets,
  type MachineName,
  machineNames,
  type NetworkScenario,
  type NodeDistribution,
  nodeDistributions,
  type ProposalName,
  proposalNames,
  systemOf,
  type VotingSystem,
  type VotingSystemName,
  withProposals,
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
import { networkFileForm, networkOrFileText } from '../networkFile.ts';
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
  readonly client: readonly ClientShare[];
  readonly keySums: NetworkScenario['keySums'];
  readonly idontwant: boolean;
  readonly sendTimeout: boolean;
  readonly overhead?: number;
  readonly participation: number;
  readonly network: string;
  readonly subcommittees?: number;
  readonly aggregators?: number;
  readonly collectors?: number;
  readonly slotMs?: number;
  readonly parts?: readonly number[];
  readonly proposal?: readonly ProposalName[];
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
    .addOption(clientOption([{ name: 'lighthouse', share: 1 }]))
    .option(
      '--key-sums <name>',
      'how the key of a bitfield is summed: naive or subtracting',
      choiceFlag('--key-sums', ['naive', 'subtracting'] as const),
      keySums,
    )
    .option('--no-idontwant', 'gossipsub without IDONTWANT')
    .option('--no-send-timeout', 'let copies wait for a link as long as it takes, and drop none')
    .option(
      '--overhead <bytes>',
      'what a message has around it on the wire (default: 130)',
      integerFlag('--overhead', 0, 4096),
    )
    .option(
      '--participation <share>',
      'share of the validators that vote',
      share('--participation', 0.01, 1),
      participation,
    )
    .addOption(networkOption(defaultNetworkScenario.network));
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
    .addOption(
      new Option('--proposal <names>', `${proposalNames.join(', ')}, several with + between, or none`)
        .argParser(proposalFlag)
        .default([], 'none'),
    )
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

/** How messages are verified. */
export function clientOption(usual: readonly ClientShare[]): Option {
  return new Option(
    '--client <name>',
    `how messages are verified: ${clientPresetNames.join(', ')}; or several by shares of the nodes, as ${mixExample}`,
  )
    .argParser(clientFlag)
    .default(usual, JSON.stringify(clientText(usual)));
}

const mixExample = 'prysm:0.4+teku:0.3+nimbus:0.3';

/** A client, or several by shares that come to 1. */
export function clientFlag(text: string): readonly ClientShare[] {
  const parts = text.split('+').map((part) => part.split(':'));
  const shares = parts.map(([name = '', share], index): ClientShare => {
    const known = clientPresetNames.find((one) => one === name);
    if (known === undefined) throw badChoiceValue('--client', clientPresetNames, text, clientForms, name);
    const isNumber = share !== undefined && /^[\d.]+$/.test(share) && parts[index]!.length === 2;
    if (!isNumber && (share !== undefined || parts.length > 1)) throw badValue('--client', clientForms, text);
    return { name: known, share: Number(share ?? 1) };
  });
  const sum = shares.reduce((all, { share }) => all + share, 0);
  if (!(Math.abs(sum - 1) < 1e-6)) throw badValue('--client', 'shares that come to 1', text);
  return shares;
}

const clientForms = `${clientPresetNames.join(' or ')}, or several with their shares, as ${mixExample}`;

/** As on the command line. */
export function clientText(shares: readonly ClientShare[]): string {
  return shares.length === 1 ? shares[0]!.name : shares.map(({ name, share }) => `${name}:${share}`).join('+');
}

/** What the flag says of a scenario. */
export function clientsOf(
  shares: readonly ClientShare[],
  machine: MachineName,
  cores: number,
): Pick<NetworkScenario, 'client' | 'clients'> {
  const [first, ...others] = shares as [ClientShare, ...ClientShare[]];
  return { client: { ...clientPresets[first.name], machine, cores }, clients: others };
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

/** Proposals, one after another. */
export function proposalFlag(text: string): readonly ProposalName[] {
  const names = text === 'none' ? [] : text.split('+');
  const wrong = names.find((one) => !(proposalNames as readonly string[]).includes(one));
  if (wrong !== undefined)
    throw badChoiceValue(
      '--proposal',
      proposalNames,
      text,
      `${proposalNames.join(' or ')}, with + between, or none`,
      wrong,
    );
  return names as ProposalName[];
}

/** Parts of a slot. */
export function partsFlag(text: string): readonly number[] {
  const parts = text.split(':').map(Number);
  if (parts.length < 3 || parts.length > 4 || !parts.every((one) => one > 0 && one <= 1e6)) {
    throw badValue('--parts', 'three or four numbers over 0 with colons between', text);
  }
  return parts;
}

/** Latencies by name, or of a file. */
export function networkOption(usual: string): Option {
  return new Option('--network <model>', `latencies: ${networkForms}; or ${networkFileForm}`)
    .argParser(flagOf('--network', networkOrFileText))
    .default(usual);
}

/** The scenario that the flags say, of one system. */
export function networkScenario(system: VotingSystemName, flags: NetworkFlags): NetworkScenario {
  const given = { ...defaultNetworkScenario, system, validators: flags.validators };
  const proposed = withProposals(given, flags.proposal ?? []);
  const of = systemOf(proposed);
  if ((flags.proposal ?? []).length > 0 && of.period === 1)
    throw badValue('--proposal', 'a system that votes once an epoch, as --preset electra', system);
  const changes = {
    ...proposed.changes,
    ...(flags.subcommittees !== undefined && { subcommittees: flags.subcommittees }),
    ...(flags.aggregators !== undefined && { aggregators: flags.aggregators }),
    ...(flags.collectors !== undefined && of.collectors > 0 && { collectors: flags.collectors }),
    ...((flags.slotMs !== undefined || flags.parts !== undefined) && times(of, flags.slotMs ?? of.slotMs, flags.parts)),
  };
  return {
    ...proposed,
    changes,
    nodes: flags.beaconNodes,
    distribution: flags.distribution,
    links: flags.links,
    reserved: flags.reserved,
    ...clientsOf(flags.client, flags.machine, flags.cores),
    keySums: flags.keySums,
    gossip: {
      ...proposed.gossip,
      ...(flags.overhead !== undefined && { overheadBytes: flags.overhead }),
      ...(!flags.idontwant && { idontwantBytes: undefined }),
      ...(!flags.sendTimeout && { forwardWaitMs: undefined, publishWaitMs: undefined }),
    },
    network: flags.network,
    participation: flags.participation,
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
  if (parts === undefined) return inProportion(of, slotMs);
  const most = hasCollections ? 4 : 3;
  if (parts.length !== most) throw badValue('--parts', `${most} numbers for this system`, parts.join(':'));
  const all = parts.reduce((sum, one) => sum + one, 0);
  const at = (count: number): number => (slotMs * parts.slice(0, count).reduce((sum, one) => sum + one, 0)) / all;
  const collectMs = hasCollections ? at(3) : isHandel ? at(2) : 0;
  return { attestMs: at(1), aggregateMs: at(2), collectMs, slotMs, blockMs: slotMs };
}
