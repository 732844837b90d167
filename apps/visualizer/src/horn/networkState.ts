import {
  defaultNetworkScenario,
  inProportion,
  type LinkPreset,
  linkPresetNames,
  linkPresets,
  type MachineName,
  machineNames,
  type NetworkScenario,
  type NodeDistribution,
  type ProposalName,
  proposalNames,
  systemOf,
  type VotingSystemName,
  votingSystemNames,
  withProposals,
} from '@tutti/ethereum';
import { choice, Fields, type FieldTable, moment, named, number, optional, words } from '../links/fields.ts';
import { choiceTable, type SlotChoice } from './slotChoice.ts';

/** Settings of a slot on a network with limited bandwidth, under their names in a link and in the form. */
export interface NetworkChoice extends SlotChoice {
  readonly system: VotingSystemName;
  readonly links: LinkPreset;
  readonly machine: MachineName;
  readonly distribution: NodeDistribution;
  readonly proposals: readonly ProposalName[];
  /**
   * Length of the slot, s; all parts of the slot are scaled proportionally. If undefined, the slot has the system's own
   * length.
   */
  readonly slotSeconds: number | undefined;
}

const distributions: readonly NodeDistribution[] = ['uniform', 'heavy-tailed'];

const { validators, network, seed, client, distribution, system } = defaultNetworkScenario;

const table: FieldTable<NetworkChoice> = {
  system: choice(votingSystemNames, system),
  ...choiceTable({ validators, network, dead: 0, seed }),
  links: choice(linkPresetNames, 'eip-7870'),
  machine: choice(machineNames, client.machine),
  distribution: choice(distributions, distribution),
  proposals: {
    ...named('proposal', words<ProposalName>(proposalNames, [], { min: 0, max: proposalNames.length })),
    repeats: true,
  },
  slotSeconds: named('slot', optional(number({ min: 0.5, max: 60 }, 12))),
};

/** Fields of the form. */
export const networkFields = new Fields(table);
export const firstNetworkChoice = networkFields.first;

const linkFields = new Fields<NetworkChoice & { readonly timeUs: number | undefined }>({ ...table, timeUs: moment });

/**
 * Returns the fragment of a link, without `#`.
 *
 * @param timeUs time to include in the link, µs. If a link has no time, the page opens shortly after the first message
 * of the global topic.
 */
export function networkLink(chosen: NetworkChoice, timeUs: number | undefined): string {
  return `model=network&${linkFields.write({ ...chosen, timeUs }, true)}`;
}

/** Parses a link from an untrusted source. */
export function readNetworkLink(hash: string) {
  const { values, notices } = linkFields.read(hash, ['model']);
  const { timeUs, ...chosen } = values;
  return { choice: chosen, timeUs, notices };
}

/** Converts the settings to a scenario. */
export function networkScenario(chosen: NetworkChoice): NetworkScenario {
  const { validators, network, dead, seed, attacks, system, links, machine, distribution, slotSeconds } = chosen;
  const asked = {
    ...defaultNetworkScenario,
    validators,
    network,
    seed,
    attacks,
    system,
    distribution,
    participation: Math.round(100 - 100 * dead) / 100,
    links: linkPresets[links],
    client: { ...client, machine },
  };
  const proposed = withProposals(asked, chosen.proposals);
  if (slotSeconds === undefined) return proposed;
  return { ...proposed, changes: { ...proposed.changes, ...inProportion(systemOf(proposed), 1000 * slotSeconds) } };
}
