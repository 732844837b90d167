import { type HandelNode, noContribution, type Tree } from '@tutti/core';
import { List } from '@tutti/core/packed';

/**
 * Returns the maximum number of integers that a node may use for pending contributions and data about peers. Tables
 * double when they are full, so each of N - 1 peers takes less than twice two entries of six integers, and four slots.
 * The smallest tables take 48 integers.
 */
export function maxKeptInts(nodes: number): number {
  return 48 + 28 * (nodes - 1);
}

/** Checks that the memory of a node for its peers is bounded, whatever they send (v1.03 section 3.5.2). */
export class MemoryChecker {
  readonly #tree: Tree;
  /** Per id: the last check in which a list had its sender. */
  readonly #entrySeen: Int32Array;
  /** Per id: the last check in which any list of the level had its individual contribution. */
  readonly #individualSeen: Int32Array;
  #looks = 0;

  constructor(tree: Tree) {
    this.#tree = tree;
    this.#entrySeen = new Int32Array(tree.nodes);
    this.#individualSeen = new Int32Array(tree.nodes);
  }

  /** Checks a node. @returns the expected and the actual state, or undefined if they agree. */
  broken(node: HandelNode): string | undefined {
    const ints = node.keptInts();
    const max = maxKeptInts(this.#tree.nodes);
    if (ints > max) return `expected at most ${max} stored integers about peers, got ${ints}`;
    for (let level = 1; level <= this.#tree.levels; level++) {
      const broken = this.#brokenOn(node, level, this.#tree.peerBlock(node.id, level));
      if (broken !== undefined) return `level ${level}: ${broken}`;
    }
    return undefined;
  }

  #brokenOn(node: HandelNode, level: number, block: number): string | undefined {
    const look = ++this.#looks;
    let broken: string | undefined;
    for (const list of [List.queued, List.dormant, List.verified]) {
      node.forEachKept(level, list, (sender, _aggregate, individual) => {
        if (!this.#tree.contains(block, sender))
          broken = `expected only entries from the level's peers, got an entry from ${sender}`;
        else if (list === List.queued && this.#entrySeen[sender] === look) {
          broken = `expected one queued entry from sender ${sender}, got another`;
        } else if (individual !== noContribution && this.#individualSeen[sender] === look) {
          broken = `expected one individual contribution from sender ${sender}, got another`;
        }
        this.#entrySeen[sender] = look;
        if (individual !== noContribution) this.#individualSeen[sender] = look;
      });
    }
    return broken;
  }
}
