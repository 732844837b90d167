import { RandomStream } from '@tutti/core';
import { hasMember, removeMember } from '@tutti/core/horn';
import { createSimulation, defaultScenario, type RunResult } from '@tutti/simulation';
import { keysUs, machines } from '../../horn/costs.ts';
import { type LayerLoad, noLoad, scaled, sizeOfClass } from './loads.ts';
import { castOf, type NetworkWorld } from './networkWorld.ts';
import { committeeRange } from './roles.ts';
import { type AuthoredSet, authoredSets, type LayerDelay } from './slotRun.ts';

/** Share of the votes at which Handel counts as finished. */
const threshold = 0.99;
/** Maximum numbers of nodes in the simulations of Handel. */
const runSizes = [128, 512] as const;

/** Result of Handel within committees. */
export interface HandelGathering {
  /** Sets that the elected members of each committee publish at the due time. */
  readonly published: readonly AuthoredSet[];
  /** Time until nodes reach the threshold. `p95Ms` is the time of the slowest node. */
  readonly delay: LayerDelay;
  readonly loads: readonly LayerLoad[];
}

/**
 * Simulates Handel in each committee, between nodes that have aggregated their own validators' votes locally. A node in
 * several committees runs one instance for each and shares its cores among them. Times, messages and verifications come
 * from this repository's simulation of Handel at smaller sizes, with equal nodes of one vote each. For larger
 * committees, time is extrapolated linearly in log N (v1.03 section 4.1), and traffic and verifications linearly in the
 * square of log N.
 *
 * The number of counted votes is a lower bound: a node that reached the threshold counts for exactly 99 % of the nodes'
 * votes, and any other node for none. Links have latency and unlimited bandwidth here; Handel's traffic is reported. A
 * node's number of validators has no effect, because weights are not modelled. If Eve withholds her votes, the same
 * share of the nodes is dead in the honest nodes' Handel.
 */
export function gatherByHandel(world: NetworkWorld): HandelGathering {
  const { scenario, system, nodeAt, subcommittees, classOf } = world;
  const committees = Array.from({ length: system.committees }, (_, committee) => {
    const { start, members } = committeeRange(system, subcommittees, committee);
    return { start, members, nodes: [...new Set(nodeAt.subarray(start, start + members))] };
  });
  const participants = committees.reduce((sum, { nodes }) => sum + nodes.length, 0) / committees.length;
  const committeesOfNode = (participants * committees.length) / new Set(nodeAt).size;
  const checkMs = verificationMs(world, committees[0]!.members, participants);
  const shared = Math.max(1, committeesOfNode / scenario.client.cores);
  const each = handelAmong(world, participants, checkMs * shared);
  const dueMs = system.collectMs - system.attestMs;
  const inTime = Math.min(1, Math.max(0, (dueMs - each.fastestMs) / Math.max(1, each.slowestMs - each.fastestMs)));
  const perNode: LayerLoad = {
    ...noLoad,
    receivedBytes: committeesOfNode * each.bytes,
    sentBytes: committeesOfNode * each.bytes,
    copies: committeesOfNode * each.messages,
    coreSeconds: (committeesOfNode * each.checked * checkMs) / 1000,
  };
  return {
    published: publishedSets(world, committees, inTime),
    delay: { meanMs: Math.min(each.meanMs, dueMs), p95Ms: Math.min(each.slowestMs, dueMs), inTime },
    loads: scenario.links.map((_, index) => {
      const all = sizeOfClass(classOf, index);
      const participating = new Set(nodeAt.filter((node) => classOf[node] === index)).size;
      return scaled(perNode, participating / Math.max(1, all));
    }),
  };
}

/**
 * Returns the mean duration of a verification in a committee, ms. A level's contributions are as large as all lower
 * levels together. On average over a committee's levels, one verification therefore sums 1 / log2(participants) of the
 * committee's keys.
 *
 * @param size number of members of the committee.
 * @param participants number of nodes of these members.
 */
function verificationMs({ scenario }: NetworkWorld, size: number, participants: number): number {
  const { verifyMs, additionNs } = machines[scenario.client.machine];
  const keys = size / Math.max(1, Math.log2(participants));
  return verifyMs + keysUs(size, keys, scenario.keySums, additionNs) / 1000;
}

/** Times until nodes of one committee reach the threshold, and means per node of the messages and verifications. */
interface HandelMeans {
  readonly fastestMs: number;
  readonly meanMs: number;
  readonly slowestMs: number;
  /** Bytes sent. */
  readonly bytes: number;
  /** Number of messages sent. */
  readonly messages: number;
  /** Number of verifications. */
  readonly checked: number;
}

/** Simulates Handel at smaller sizes, and extrapolates the results to a number of nodes. */
function handelAmong(world: NetworkWorld, nodes: number, verifyMs: number): HandelMeans {
  const dead = withheld(world);
  const sizes = new Set(runSizes.map((max) => Math.min(max, Math.max(2, Math.round(nodes)))));
  const runs = Array.from(sizes, (size) => runHandel(size, verifyMs, world, dead));
  const at = (value: (run: RunResult) => number, power: number): number => extrapolated(runs, nodes, value, power);
  return {
    fastestMs: at((run) => run.timeToThresholdMs.min, 1),
    meanMs: at((run) => run.timeToThresholdMs.mean, 1),
    slowestMs: at((run) => run.timeToThresholdMs.max, 1),
    bytes: at((run) => run.bytesSent.mean, 2),
    messages: at((run) => run.messagesSent.mean, 2),
    checked: at((run) => run.checked.mean, 2),
  };
}

/** A committee's range of places, with the nodes of its members. */
interface CommitteeNodes {
  readonly start: number;
  readonly members: number;
  readonly nodes: readonly number[];
}

/**
 * Draws the sets that the collectors publish. Each collector has finished with probability `inTime`, and then lacks
 * each other node's votes with probability 1 %.
 */
function publishedSets(world: NetworkWorld, committees: readonly CommitteeNodes[], inTime: number): AuthoredSet[] {
  const { scenario, nodeAt, collectors, roles } = world;
  const random = new RandomStream(scenario.seed, 'handel in committees');
  return collectors.flatMap((places, committee) => {
    const { start, members, nodes } = committees[committee]!;
    const cast = castOf(world, committee);
    return places.flatMap((place) => {
      if (random.nextUnit() >= inTime) return [];
      const missing = new Set(nodes.filter(() => random.nextUnit() >= threshold));
      missing.delete(nodeAt[place]!);
      const verified = cast.slice();
      for (let member = 0; member < members; member++) {
        if (missing.has(nodeAt[start + member]!)) removeMember(verified, member);
      }
      const role = roles.of(place);
      const bits = role.aggregate(verified);
      return authoredSets(place, { group: committee, sentUs: role.clock.collectUs, bits }, members);
    });
  });
}

/** Returns the share of the votes that Eve withholds. In the honest nodes' Handel, this share of the nodes is dead. */
function withheld({ subcommittees, attack }: NetworkWorld): number {
  let count = 0;
  for (const { start, members, casts } of subcommittees) {
    for (let member = 0; member < members; member++) {
      if (attack[start + member] !== -1 && !hasMember(casts, member)) count++;
    }
  }
  return count / attack.length;
}

/**
 * Simulates Handel.
 *
 * @param dead share of dead nodes.
 */
function runHandel(nodes: number, verifyMs: number, { scenario }: NetworkWorld, dead: number): RunResult {
  const { network, seed } = scenario;
  const cpu = { ...defaultScenario.cpu, spread: 1 };
  const simulation = createSimulation({ ...defaultScenario, nodes, network, seed, threshold, verifyMs, cpu, dead });
  while (simulation.advance(1 << 16));
  return simulation.result();
}

/**
 * Extrapolates a value from two runs to a number of nodes, linearly in the given power of log N; the value itself if
 * there is only one run.
 */
function extrapolated(
  runs: readonly RunResult[],
  nodes: number,
  value: (run: RunResult) => number,
  power: number,
): number {
  const [small, large = small] = runs as [RunResult, RunResult?];
  const x = (count: number): number => Math.log2(count) ** power;
  if (large.nodes === small.nodes) return value(large);
  return (
    value(large) + ((value(large) - value(small)) * (x(nodes) - x(large.nodes))) / (x(large.nodes) - x(small.nodes))
  );
}
