import { availableParallelism } from 'node:os';
import { shares } from '@tutti/core/input';
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
  type ProposalName,
  proposalNames,
  systemOf,
  type VotingSystem,
  type VotingSystemName,
  validateNetworkScenario,
  votingSystemNames,
  withProposals,
} from '@tutti/ethereum';
import {
  clientSettings,
  defaultMachine,
  gossipSettings,
  networkSettings,
  slotLengths,
  votingSettings,
} from '@tutti/ethereum/settings';
import { networkOrFileText } from '../files/latencyFile.ts';
import {
  badChoiceValue,
  badValue,
  choice,
  countSetting,
  type Flag,
  type FlagReader,
  type FlagsOf,
  flag,
  flagOf,
  integer,
  jobs,
  ranged,
  setting,
  several,
  unless,
} from '../flags.ts';
import { networkChoices } from '../networkFile.ts';
import { loadAllNetworks } from '../simulatedRun.ts';
import { validated } from './slotFlags.ts';

await loadAllNetworks();

const mixExample = 'prysm:0.4+teku:0.3+nimbus:0.3';

const { validators, nodes, distribution, reserved, keySums, participation, seed } = networkSettings;
const { subcommittees, aggregators, collectors } = votingSettings;
const { overheadBytes } = gossipSettings;

const hornAttackNames = hornAttacks.map(({ name }) => name);

/** Flags for the network and its nodes. */
const nodeFlags = {
  validators: countSetting(validators),
  beaconNodes: countSetting(nodes),
  distribution: setting(distribution),
  links: flag(
    '<name>',
    `one of ${linkPresetNames.join(', ')}, or DOWN/UP in Mbps for all nodes`,
    linksFlag,
    networkSettings.links.default,
    'eip-7870',
  ),
  reserved: setting(reserved),
  machine: flag('<name>', `one of ${machineNames.join(', ')}`, choice(machineNames), defaultMachine),
  cores: flag(
    '<n>',
    'number of cores per machine that run verifications',
    ranged(clientSettings.cores.range),
    clientSettings.cores.default,
  ),
  client: clientsFlag([{ name: 'lighthouse', share: 1 }]),
  keySums: setting(keySums),
  idontwant: unless('gossipsub without IDONTWANT'),
  sendTimeout: unless('queue copies for a link without a time limit, so that none are dropped'),
  overhead: flag('<bytes>', `${overheadBytes.about} (default: ${overheadBytes.default})`, ranged(overheadBytes.range)),
  participation: setting(participation),
  network: networkFlag(networkSettings.network.default),
};

/** Flags for the simulated slots. */
const slotFlags = {
  subcommittees: flag('<n>', 'number of subcommittees per committee', ranged(subcommittees)),
  aggregators: flag('<n>', 'expected number of aggregators per subcommittee', ranged(aggregators)),
  collectors: flag(
    '<n>',
    'expected number of collectors per committee, if the system has collectors',
    integer(1, collectors.max),
  ),
  slotMs: flag(
    '<ms>',
    "length of a slot; the parts of the slot keep their proportions (default: the system's value)",
    ranged(slotLengths),
  ),
  parts: flag(
    '<a:b:c>',
    "proportions of a slot: time until votes, then until aggregates, then until collections (if the system has them), then until the block (default: the system's values)",
    partsFlag,
  ),
  proposal: flag('<names>', `${proposalNames.join(', ')}, or several joined by +, or none`, proposalFlag, [], 'none'),
  eve: flag(
    '<share>',
    'share of the validators that the attacker Eve controls; they are on her own nodes',
    ranged({ ...shares, max: 0.99 }),
    0,
  ),
  eveAttack: flag('<name>', `attack by Eve: ${hornAttackNames.join(', ')}`, choice(hornAttackNames), 'griefing'),
};

/** Flags for the scenario of a slot on Ethereum's network. */
export const scenarioFlags = { ...nodeFlags, ...slotFlags, seed: setting(seed) };

/** Flags for the scenario and for its runs. */
export const networkFlags = {
  ...scenarioFlags,
  maxConsecutiveSlots: flag(
    '<n>',
    'maximum number of consecutive slots; the next slot is simulated only if a slot leaves a backlog',
    integer(1, 32),
    3,
  ),
  jobs: slotJobsFlag(),
};

type ProposalFlag = { readonly proposal?: readonly ProposalName[] };
/** Values of {@link scenarioFlags}. */
export type ScenarioFlags = Omit<FlagsOf<typeof scenarioFlags>, 'proposal'> & ProposalFlag;
/** Values of {@link networkFlags}. */
export type NetworkFlags = Omit<FlagsOf<typeof networkFlags>, 'proposal'> & ProposalFlag;

/** Returns the flag for verification by client software. */
export function clientsFlag(usual: readonly ClientShare[]): Flag<readonly ClientShare[], true> {
  return flag(
    '<name>',
    `client whose verification is simulated: ${clientPresetNames.join(', ')}; or several clients with their shares of the nodes, such as ${mixExample}`,
    clientFlag,
    usual,
    clientText(usual),
  );
}

/** Returns the reader for the name of one client, or for several clients with shares that sum to 1. */
function clientFlag(flag: string): FlagReader<readonly ClientShare[]> {
  return (text) => {
    const parts = text.split('+').map((part) => part.split(':'));
    const clients = parts.map(([name = '', share], index): ClientShare => {
      const known = clientPresetNames.find((one) => one === name);
      if (known === undefined) throw badChoiceValue(flag, clientPresetNames, text, clientForms, name);
      const isNumber = share !== undefined && /^[\d.]+$/.test(share) && parts[index]!.length === 2;
      if (!isNumber && (share !== undefined || parts.length > 1)) throw badValue(flag, clientForms, text);
      return { name: known, share: Number(share ?? 1) };
    });
    const sum = clients.reduce((all, { share }) => all + share, 0);
    if (!(Math.abs(sum - 1) < 1e-6)) throw badValue(flag, 'shares with a sum of 1', text);
    return clients;
  };
}

const clientForms = `${clientPresetNames.join(' or ')}, or several clients with their shares, such as ${mixExample}`;

/** Returns clients as text in the form of the flag. */
export function clientText(clients: readonly ClientShare[]): string {
  return clients.length === 1 ? clients[0]!.name : clients.map(({ name, share }) => `${name}:${share}`).join('+');
}

/** Returns the fields of a scenario that the given clients determine. */
export function clientsOf(
  shares: readonly ClientShare[],
  machine: MachineName,
  cores: number,
): Pick<NetworkScenario, 'client' | 'clients'> {
  const [first, ...others] = shares as [ClientShare, ...ClientShare[]];
  return { client: { ...clientPresets[first.name], machine, cores }, clients: others };
}

/** Returns the flag for the number of slots to run in parallel. */
export function slotJobsFlag(): Flag<number, true> {
  return flag('<n>', 'number of slots that run in parallel', ranged(jobs), availableParallelism(), 'one per core');
}

/** Returns the reader for a name of link classes, or for one class `DOWN/UP` for all nodes, in Mbps. */
function linksFlag(flag: string): FlagReader<readonly LinkClass[]> {
  return (text) => {
    const [, down, up] = /^([\d.]+)\/([\d.]+)$/.exec(text) ?? [];
    if (down !== undefined && up !== undefined && Number(down) > 0 && Number(up) > 0)
      return [{ name: text, share: 1, downMbps: Number(down), upMbps: Number(up) }];
    const name = linkPresetNames.find((one) => one === text);
    if (name === undefined)
      throw badChoiceValue(flag, linkPresetNames, text, `${linkPresetNames.join(' or ')} or DOWN/UP in Mbps`);
    return linkPresets[name];
  };
}

/** Returns the reader for the names of proposals joined by `+`, or `none` for no proposal. */
export function proposalFlag(flag: string): FlagReader<readonly ProposalName[]> {
  return (text) => {
    const names = text === 'none' ? [] : text.split('+');
    const wrong = names.find((one) => !(proposalNames as readonly string[]).includes(one));
    if (wrong !== undefined)
      throw badChoiceValue(flag, proposalNames, text, `${proposalNames.join(' or ')}, joined by +, or none`, wrong);
    return names as ProposalName[];
  };
}

/**
 * Returns the flag for a list of proposals, each in the form that {@link proposalFlag} reads.
 *
 * @param what description of the list. @param text text of the default in help.
 */
export function proposalsFlag(what: string, standing: readonly string[], text: string): Flag<readonly string[], true> {
  const read = (name: string) => (list: string) => {
    const proposals = list.split(',');
    for (const one of proposals) proposalFlag(name)(one);
    return proposals;
  };
  return flag('<list>', `${what} to simulate, comma-separated; join several with +`, read, standing, text);
}

/** Returns the reader for the proportions of the three or four parts of a slot, separated by colons. */
function partsFlag(flag: string): FlagReader<readonly number[]> {
  return (text) => {
    const parts = text.split(':').map(Number);
    if (parts.length < 3 || parts.length > 4 || !parts.every((one) => one > 0 && one <= 1e6))
      throw badValue(flag, 'three or four positive numbers, separated by colons', text);
    return parts;
  };
}

/**
 * Returns the flag for the systems to simulate, which may be given more than once.
 *
 * @param usual text of the default in help.
 */
export function systemsFlag(usual: string): Flag<readonly VotingSystemName[], false> {
  const about = `one of ${votingSystemNames.join(', ')}; repeatable (default: ${usual})`;
  return flag('<name>', about, several(choice(votingSystemNames)));
}

/** Returns the flag for latencies, which are given by a name or a file. */
export function networkFlag(usual: string): Flag<string, true> {
  const about = `latencies: ${networkChoices}`;
  return flag('<model>', about, (name) => flagOf(name, networkOrFileText), usual);
}

/**
 * Returns the scenario of one system according to the flags.
 *
 * @throws UsageError for inconsistent values.
 */
export function networkScenario(system: VotingSystemName, flags: ScenarioFlags): NetworkScenario {
  const given = { ...defaultNetworkScenario, system, validators: flags.validators };
  const proposed = withProposals(given, flags.proposal ?? []);
  const of = systemOf(proposed);
  if ((flags.proposal ?? []).length > 0 && of.period === 1)
    throw badValue('--proposal', 'a system whose validators vote once per epoch, such as --preset electra', system);
  const changes = {
    ...proposed.changes,
    ...(flags.subcommittees !== undefined && { subcommittees: flags.subcommittees }),
    ...(flags.aggregators !== undefined && { aggregators: flags.aggregators }),
    ...(flags.collectors !== undefined && of.collectors > 0 && { collectors: flags.collectors }),
    ...((flags.slotMs !== undefined || flags.parts !== undefined) && times(of, flags.slotMs ?? of.slotMs, flags.parts)),
  };
  const scenario: NetworkScenario = {
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
  validated(() => validateNetworkScenario(scenario));
  return scenario;
}

/**
 * Returns the times at which the parts of a slot begin, according to the given proportions or else those of the system.
 *
 * @throws UsageError if the system's slot has a different number of parts.
 */
function times(of: VotingSystem, slotMs: number, parts: readonly number[] | undefined): Partial<VotingSystem> {
  const isHandel = of.gathering === 'handel';
  const hasCollections = of.collectors > 0 && !isHandel;
  if (parts === undefined) return inProportion(of, slotMs);
  const partCount = hasCollections ? 4 : 3;
  if (parts.length !== partCount) throw badValue('--parts', `${partCount} numbers for this system`, parts.join(':'));
  const all = parts.reduce((sum, one) => sum + one, 0);
  const at = (count: number): number => (slotMs * parts.slice(0, count).reduce((sum, one) => sum + one, 0)) / all;
  const collectMs = hasCollections ? at(3) : isHandel ? at(2) : 0;
  return { attestMs: at(1), aggregateMs: at(2), collectMs, slotMs, blockMs: slotMs };
}
