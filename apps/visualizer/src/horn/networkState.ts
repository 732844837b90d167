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
import { within } from '../state/within.ts';
import { choiceFields, chosen, linkFields, readChoice, readMoment, type SlotChoice } from './slotChoice.ts';

/** What is chosen of a slot on a network with bandwidth, by the names that a link and the form have for it. */
export interface NetworkChoice extends SlotChoice {
  readonly system: VotingSystemName;
  readonly links: LinkPreset;
  readonly machine: MachineName;
  readonly distribution: NodeDistribution;
  readonly proposals: readonly ProposalName[];
  /** All parts of the slot keep their proportions; undefined for as long as the system has it, s. */
  readonly slotSeconds: number | undefined;
}

export const distributions: readonly NodeDistribution[] = ['uniform', 'heavy-tailed'];

const { validators, network, seed, client, distribution, system } = defaultNetworkScenario;

export const firstNetworkChoice: NetworkChoice = {
  ...{ validators, network, dead: 0, seed, attacks: [], system, links: 'eip-7870', distribution },
  machine: client.machine as MachineName,
  proposals: [],
  slotSeconds: undefined,
};

/** The part of the address after `#`, without it. @param timeUs undefined: where something is to be seen. */
export function encodeNetworkChoice(choice: NetworkChoice, timeUs: number | undefined): string {
  const fields = ['model=network', `system=${choice.system}`, ...choiceFields(choice), `links=${choice.links}`];
  fields.push(`machine=${choice.machine}`, `distribution=${choice.distribution}`);
  for (const proposal of choice.proposals) fields.push(`proposal=${proposal}`);
  if (choice.slotSeconds !== undefined) fields.push(`slot=${choice.slotSeconds}`);
  if (timeUs !== undefined) fields.push(`t=${timeUs / 1000}`);
  return fields.join('&');
}

/** Reads a link, which anyone may have written: what is missing or makes no sense is as at first. */
export function decodeNetworkChoice(hash: string): { choice: NetworkChoice; timeUs: number | undefined } {
  const fields = linkFields(hash);
  const first = firstNetworkChoice;
  const choice = {
    ...readChoice(fields, first),
    system: chosen(fields.get('system'), votingSystemNames, first.system),
    links: chosen(fields.get('links'), linkPresetNames, first.links),
    machine: chosen(fields.get('machine'), machineNames, first.machine),
    distribution: chosen(fields.get('distribution'), distributions, first.distribution),
    proposals: [...new Set(fields.getAll('proposal'))].filter((name): name is ProposalName =>
      proposalNames.includes(name as ProposalName),
    ),
    slotSeconds: fields.has('slot') ? within(fields.get('slot'), { min: 0.5, max: 60 }, 12) : undefined,
  };
  return { choice, timeUs: readMoment(fields) };
}

/** What is chosen as a scenario. */
export function networkScenario(choice: NetworkChoice): NetworkScenario {
  const { validators, network, dead, seed, attacks, system, links, machine, distribution, slotSeconds } = choice;
  const asked = {
    ...defaultNetworkScenario,
    ...{ validators, network, seed, attacks, system, distribution },
    participation: (100 - Math.round(100 * dead)) / 100,
    links: linkPresets[links],
    client: { ...client, machine },
  };
  const proposed = withProposals(asked, choice.proposals);
  if (slotSeconds === undefined) return proposed;
  return { ...proposed, changes: { ...proposed.changes, ...inProportion(systemOf(proposed), 1000 * slotSeconds) } };
}
