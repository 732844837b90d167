import { type AggregationScheme, type Contribution, noContribution, type Tree } from '@tutti/core';
import { type HandelInspector, List, popcount } from '@tutti/core/packed';
import type { World } from '../world/world.ts';

/**
 * Returns the maximum number of integers that a node may use for pending contributions and for data about peers. Tables
 * double when they are full, so each of N - 1 peers needs less than twice two entries of six integers, and four slots.
 * The smallest tables need 48 integers.
 */
export function maxKeptInts(nodes: number): number {
  return 48 + 28 * (nodes - 1);
}

/**
 * Checks that the memory of a node for its peers is bounded, regardless of what the peers send (v1.03 section 3.5.2).
 */
export class MemoryChecker {
  readonly #tree: Tree;
  /** Per sender: the number of the last check of a level in which a list contained an entry of the sender. */
  readonly #entrySeen: Int32Array;
  /**
   * Per sender: the number of the last check of a level in which a list contained the sender's individual contribution.
   */
  readonly #individualSeen: Int32Array;
  /** Number of checks of a level. */
  #checks = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#entrySeen = new Int32Array(tree.nodes);
    this.#individualSeen = new Int32Array(tree.nodes);
  }

  /** Checks a node. @returns the expected and the actual state, or undefined if they agree. */
  broken(node: HandelInspector): string | undefined {
    const ints = node.keptInts;
    const max = maxKeptInts(this.#tree.nodes);
    if (ints > max) return `expected at most ${max} stored integers about peers, got ${ints}`;
    for (let level = 1; level <= this.#tree.levels; level++) {
      const broken = this.#brokenOn(node, level, this.#tree.peerBlock(node.id, level));
      if (broken !== undefined) return `level ${level}: ${broken}`;
    }
    return undefined;
  }

  #brokenOn(node: HandelInspector, level: number, block: number): string | undefined {
    const check = ++this.#checks;
    let broken: string | undefined;
    for (const list of [List.queued, List.dormant, List.verified]) {
      node.forEachContribution(level, list, (sender, _aggregate, individual) => {
        if (!this.#tree.contains(block, sender)) {
          broken = `expected only entries from the level's peers, got an entry from ${sender}`;
        } else if (list === List.queued && this.#entrySeen[sender] === check) {
          broken = `expected one queued entry from sender ${sender}, got two`;
        } else if (individual !== noContribution && this.#individualSeen[sender] === check) {
          broken = `expected one individual contribution from sender ${sender}, got two`;
        }
        this.#entrySeen[sender] = check;
        if (individual !== noContribution) this.#individualSeen[sender] = check;
      });
    }
    return broken;
  }
}

/** A set that an honest node assembled. */
interface AssembledSet {
  readonly contribution: Contribution;
  /** Block over which the node assembled the set. */
  readonly block: number;
  /** Number of signers by the node's count. */
  readonly weight: number;
}

/**
 * Checks whether a set that an honest node assembled is consistent (v1.03 sections 2.1 and 4.3). The set lies in its
 * block, has its stated weight, and contains every signer once. Each honest signer had made its contribution by the
 * time of assembly; a Byzantine signer may have made its contribution at any time.
 *
 * @returns the expected and the actual state, or undefined if the set is consistent.
 */
export function brokenIntegrity(
  scheme: AggregationScheme,
  world: World,
  { contribution, block, weight }: AssembledSet,
  nowUs: number,
): string | undefined {
  if (contribution === noContribution) return `expected a set over block ${block}, got none`;
  if (scheme.block(contribution) !== block) {
    return `expected a set over block ${block}, got one over ${scheme.block(contribution)}`;
  }
  const words = scheme.setWords(contribution);
  let signers = 0;
  for (const word of words) signers += popcount(word);
  const counted = scheme.weight(contribution);
  if (signers !== counted || signers !== weight) {
    return `expected each signer to be counted once, got ${signers} signers for a weight of ${signers === counted ? weight : counted}`;
  }
  const start = scheme.tree.start(block);
  for (let index = 0; index < words.length * 32; index++) {
    if (((words[index >>> 5]! >>> (index & 31)) & 1) === 0) continue;
    const signer = start + index;
    const hasMade = world.present[signer] === 1 && (world.attack[signer] !== -1 || world.startUs[signer]! <= nowUs);
    if (!hasMade) return `expected only signers that had contributed, got signer ${signer}`;
  }
  return undefined;
}

/** Maximum ratio of the messages that a live node receives from honest nodes to the mean over all live nodes. */
export const loadFactor = 5;

/**
 * Checks the load that honest nodes' messages cause for live nodes; Byzantine nodes may send anything. Messages that
 * reach a node before its start do not count: other nodes cannot know that the node is late, and continue to send
 * (docs/concepts/back-off.md).
 */
export class LoadChecker {
  readonly #world: World;
  readonly #received: Int32Array;

  constructor(world: World) {
    this.#world = world;
    this.#received = new Int32Array(world.alive.length);
  }

  onMessage(from: number, to: number, nowUs: number): void {
    if (this.#world.attack[from] === -1 && nowUs >= this.#world.startUs[to]!) this.#received[to]!++;
  }

  /**
   * Returns the live node that received the most messages, if it received more than {@link loadFactor} times the mean;
   * otherwise undefined.
   */
  broken(): { readonly node: number; readonly what: string } | undefined {
    const { alive, live } = this.#world;
    let sum = 0;
    let node = -1;
    for (let id = 0; id < alive.length; id++) {
      if (alive[id] === 0) continue;
      sum += this.#received[id]!;
      if (node < 0 || this.#received[id]! > this.#received[node]!) node = id;
    }
    const max = (loadFactor * sum) / live;
    if (this.#received[node]! <= max) return undefined;
    return { node, what: `expected at most ${Math.round(max)} messages received, got ${this.#received[node]}` };
  }
}
