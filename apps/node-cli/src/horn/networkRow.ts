import {
  type ChainOptions,
  type ChainResult,
  type NetworkScenario,
  type NetworkSlotResult,
  playChain,
  playNetworkSlot,
  type VotingSystemName,
  validatorsOf,
  votingSystems,
} from '@tutti/core/horn';

/** A slot to be played, and the slots that follow from it. */
export interface NetworkTask {
  readonly scenario: NetworkScenario;
  readonly chain: Omit<ChainOptions, 'seed'>;
}

/** One system as played, with what it was played on. */
export interface NetworkRow {
  readonly preset: VotingSystemName;
  readonly title: string;
  readonly source: string;
  readonly validators: number;
  readonly beaconNodes: number;
  readonly distribution: string;
  readonly network: string;
  readonly links: NetworkScenario['links'];
  readonly reserved: number;
  readonly machine: string;
  readonly cores: number;
  readonly batch: number;
  readonly keySums: string;
  readonly idontwantBytes: number | null;
  readonly participation: number;
  readonly seed: number;
  readonly slotMs: number;
  readonly result: NetworkSlotResult;
  readonly chain: ChainResult;
}

export function networkRow({ scenario, chain }: NetworkTask): NetworkRow {
  const { title, source } = votingSystems[scenario.system];
  const slot = playNetworkSlot(scenario);
  return {
    preset: scenario.system,
    title,
    source,
    validators: validatorsOf(scenario),
    beaconNodes: scenario.nodes,
    distribution: scenario.distribution,
    network: scenario.network,
    links: scenario.links,
    reserved: scenario.reserved,
    machine: scenario.client.machine,
    cores: scenario.client.cores,
    batch: scenario.client.batch,
    keySums: scenario.keySums,
    idontwantBytes: scenario.gossip.idontwantBytes ?? null,
    participation: scenario.participation,
    seed: scenario.seed,
    slotMs: slot.world.system.slotMs,
    result: slot.result,
    chain: playChain(slot, { ...chain, seed: scenario.seed }),
  };
}
