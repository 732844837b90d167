import {
  type BandwidthRatios,
  type ChainOptions,
  type ChainResult,
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
import { readNetworksAmong } from '../networkFile.ts';
import { Counter } from '../output/progress.ts';
import { bySeeds } from '../results/overSeeds.ts';
import { ThreadPool } from '../threads/threadPool.ts';

/** A slot to simulate, and the consecutive slots that depend on its result. */
export interface NetworkTask {
  readonly scenario: NetworkScenario;
  /** Maximum number of consecutive slots. */
  readonly maxConsecutiveSlots: number;
  /** True if every message is simulated individually. */
  readonly singly?: boolean;
  /** Blocks that follow the slot. Default: the block of the next slot, which omits no votes. */
  readonly chain?: Omit<ChainOptions, 'seed'>;
}

const oneBlock = { slots: 1, missed: 0, omitting: 0 };

/** Fields of a scenario that its row contains unchanged. */
type ScenarioField =
  | ('validators' | 'distribution' | 'network' | 'links' | 'reserved' | 'clients')
  | ('keySums' | 'participation' | 'attacks' | 'seed');

/** Result for one system, with the settings of the system. */
export interface NetworkRow extends Pick<NetworkScenario, ScenarioField> {
  readonly preset: VotingSystemName;
  readonly title: string;
  readonly source: string;
  readonly beaconNodes: number;
  readonly machine: string;
  readonly cores: number;
  /** Maximum number of messages per batch of the first client; the clients of the other nodes are in `clients`. */
  readonly batch: number;
  readonly idontwantBytes: number | null;
  /** Maximum time that a copy waits for a link, ms; null for no limit. */
  readonly forwardWaitMs: number | null;
  readonly ignoresCovered: boolean;
  readonly mode: 'statistical' | 'singly';
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
export function networkRow(task: NetworkTask): NetworkRow {
  const { scenario, maxConsecutiveSlots, singly = false, chain = oneBlock } = task;
  const mode = singly ? 'singly' : 'statistical';
  const slots = runNetworkSlots(scenario, maxConsecutiveSlots, { mode });
  const [slot] = slots;
  const { slotMs, attestMs } = slot.world.system;
  const received = meanOverNodes(slot.result.loads, scenario.links, 'receivedBytes');
  const { system, nodes, client, gossip, ...given } = scenario;
  const { validators, distribution, network, links, reserved, clients } = given;
  const { keySums, participation, attacks, seed } = given;
  const { title, source } = votingSystems[system];
  const { machine, cores, batch, ignoresCovered = false } = client;
  const { idontwantBytes = null, forwardWaitMs = null } = gossip;
  return {
    ...{ preset: system, title, source, validators, beaconNodes: nodes, distribution, network, links, reserved },
    ...{ machine, cores, batch, clients, keySums, idontwantBytes, forwardWaitMs, ignoresCovered },
    ...{ participation, attacks, mode, seed, slotMs, attestMs },
    result: slot.result,
    inRow: slots.map(({ result }) => result.inReach),
    proposers: slots.map(proposerShares),
    chain: runChain(slots, { ...chain, seed }),
    bandwidth: bandwidthRatios(slot.result.globalBytes, received, slotMs),
  };
}

/**
 * Returns the mean of a load over all nodes.
 *
 * @param loads mean loads of a node by link class, in the order of the classes.
 */
export function meanOverNodes<K extends string>(
  loads: readonly Readonly<Record<K, number>>[],
  links: NetworkScenario['links'],
  key: K,
): number {
  return loads.reduce((sum, load, index) => sum + load[key] * links[index]!.share, 0);
}

/**
 * Simulates each scenario with each seed.
 *
 * @param how settings shared by all tasks. @param jobs same as for {@link networkRows}.
 * @returns the rows of each scenario, one per seed.
 * @throws EnvironmentError `run-failed`; Interrupted.
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
 * @throws EnvironmentError `run-failed`; Interrupted.
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
    readNetworksAmong(tasks.map(({ scenario }) => scenario.network)),
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
