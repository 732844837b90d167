import {
  type BandwidthRatios,
  type ChainOptions,
  type ChainResult,
  type ClientShare,
  type NetworkScenario,
  type NetworkSlotResult,
  type ProposerShares,
  proposerShares,
  runChain,
  runNetworkSlots,
  type VotingSystemName,
  votingSystems,
} from '@tutti/ethereum';
import { bandwidthRatios } from '@tutti/ethereum/settings';
import { breathe, type Context, Interrupted } from '../context.ts';
import { takenNetworks } from '../networkFile.ts';
import { Counter } from '../output/progress.ts';
import { bySeeds } from '../results/overSeeds.ts';
import { ThreadPool } from '../threads/threadPool.ts';

/** A slot to simulate, and the consecutive slots that depend on its result. */
export interface NetworkTask {
  readonly scenario: NetworkScenario;
  /** Maximum number of consecutive slots. */
  readonly inRow: number;
  /** True if every message is simulated individually. */
  readonly singly?: boolean;
  /** Blocks after the slot. Default: the block of the next slot, which omits no votes. */
  readonly chain?: Omit<ChainOptions, 'seed'>;
}

const oneBlock = { slots: 1, missed: 0, omitting: 0 };

/** Result for one system, with the settings of the system. */
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
  /**
   * Clients of the other nodes, with their shares of all nodes; empty if all nodes run one client. `batch` is the batch
   * size of the first client.
   */
  readonly clients: readonly ClientShare[];
  readonly keySums: string;
  readonly idontwantBytes: number | null;
  /** Maximum time that a copy waits for a link, ms; null for no limit. */
  readonly forwardWaitMs: number | null;
  readonly ignoresCovered: boolean;
  readonly participation: number;
  readonly attacks: NetworkScenario['attacks'];
  readonly mode: 'statistical' | 'singly';
  readonly seed: number;
  readonly slotMs: number;
  /** Time at which votes are due, ms since the start of the slot. */
  readonly attestMs: number;
  /** Result for the first slot. */
  readonly result: NetworkSlotResult;
  /**
   * Share of the votes within reach in each consecutive slot. There are several consecutive slots if the first slot
   * left a backlog on links or cores.
   */
  readonly inRow: readonly NetworkSlotResult['inReach'][];
  /** Share of the votes within reach in each consecutive slot, by proposer. */
  readonly proposers: readonly ProposerShares[];
  readonly chain: ChainResult;
  /** Bytes according to the definitions of the post, as a mean over all nodes. */
  readonly bandwidth: BandwidthRatios;
}

/** Simulates the slots of a task in this thread. */
export function networkRow({ scenario, inRow, singly = false, chain = oneBlock }: NetworkTask): NetworkRow {
  const { title, source } = votingSystems[scenario.system];
  const slots = runNetworkSlots(scenario, inRow, { mode: singly ? 'singly' : 'statistical' });
  const [slot] = slots;
  const received = slot.result.loads.reduce(
    (sum, { receivedBytes }, index) => sum + receivedBytes * scenario.links[index]!.share,
    0,
  );
  return {
    preset: scenario.system,
    title,
    source,
    validators: scenario.validators,
    beaconNodes: scenario.nodes,
    distribution: scenario.distribution,
    network: scenario.network,
    links: scenario.links,
    reserved: scenario.reserved,
    machine: scenario.client.machine,
    cores: scenario.client.cores,
    batch: scenario.client.batch,
    clients: scenario.clients,
    keySums: scenario.keySums,
    idontwantBytes: scenario.gossip.idontwantBytes ?? null,
    forwardWaitMs: scenario.gossip.forwardWaitMs ?? null,
    ignoresCovered: scenario.client.ignoresCovered ?? false,
    participation: scenario.participation,
    attacks: scenario.attacks,
    mode: singly ? 'singly' : 'statistical',
    seed: scenario.seed,
    slotMs: slot.world.system.slotMs,
    attestMs: slot.world.system.attestMs,
    result: slot.result,
    inRow: slots.map(({ result }) => result.inReach),
    proposers: slots.map(proposerShares),
    chain: runChain(slots, { ...chain, seed: scenario.seed }),
    bandwidth: bandwidthRatios(slot.result.globalBytes, received, slot.world.system.slotMs),
  };
}

/**
 * Simulates each scenario with each seed.
 *
 * @param how settings shared by all tasks. @param jobs same as for {@link networkRows}.
 * @returns the rows of each scenario, one per seed.
 * @throws WorldError `run-failed`; Interrupted.
 */
export async function networkRowsBySeed(
  scenarios: readonly NetworkScenario[],
  seeds: readonly number[],
  how: Omit<NetworkTask, 'scenario'>,
  jobs: number,
  context: Context,
): Promise<NetworkRow[][]> {
  const tasks = scenarios.flatMap((scenario) => seeds.map((seed) => ({ ...how, scenario: { ...scenario, seed } })));
  return bySeeds(await networkRows(tasks, jobs, context), seeds);
}

/**
 * Simulates slots, up to `jobs` at a time, each in its own thread. With one job or one slot, the slots run in this
 * thread, one after another.
 *
 * @param counter counts the slots; the caller ends the counter.
 * @throws WorldError `run-failed`; Interrupted.
 */
export async function networkRows(
  tasks: readonly NetworkTask[],
  jobs: number,
  context: Context,
  counter?: Counter,
): Promise<NetworkRow[]> {
  if (context.signal.aborted) throw new Interrupted();
  const counted = counter ?? new Counter(context, 'running', tasks.length, 'slots');
  try {
    const threads = Math.min(jobs, tasks.length);
    if (threads === 1) {
      const rows: NetworkRow[] = [];
      for (const task of tasks) {
        await breathe(context);
        rows.push(networkRow(task));
        counted.step();
      }
      return rows;
    }
    return await inThreads(tasks, threads, context, () => counted.step());
  } finally {
    if (counter === undefined) counted.done();
  }
}

async function inThreads(
  tasks: readonly NetworkTask[],
  threads: number,
  { signal }: Context,
  onDone: () => void,
): Promise<NetworkRow[]> {
  const script = new URL('./networkThread.js', import.meta.url);
  const pool = new ThreadPool<NetworkTask, NetworkRow>(
    threads,
    script,
    ({ scenario }) => scenario.system,
    takenNetworks(tasks.map(({ scenario }) => scenario.network)),
  );
  return pool.during(signal, () =>
    Promise.all(
      tasks.map(async (task) => {
        const row = await pool.run(task);
        onDone();
        return row;
      }),
    ),
  );
}
