import { popcount } from '../contribution/popcount.ts';
import type { AggregationScheme } from '../contribution/scheme.ts';
import type { HandelNode } from '../handel/node.ts';
import { type Contribution, NONE } from '../protocol.ts';
import type { World } from './world.ts';

/** A claim of the paper was seen broken. */
export class CheckFailed extends Error {
  override readonly name = 'CheckFailed';
}

/** Watches a run: after every event the claims that can be checked are, on the node concerned. */
export class Checkers {
  readonly #scheme: AggregationScheme;
  readonly #world: World;
  /** Per node and level: the weight that In_l had. */
  readonly #inWeight: Int32Array;
  readonly #lastOutput: Int32Array;
  readonly #verifying: Uint8Array;
  /** How often anything was checked, so that a test can tell that the checkers ran. */
  checks = 0;

  constructor(scheme: AggregationScheme, world: World) {
    const { nodes, levels } = scheme.tree;
    this.#scheme = scheme;
    this.#world = world;
    this.#inWeight = new Int32Array(nodes * (levels + 1));
    this.#lastOutput = new Int32Array(nodes);
    this.#verifying = new Uint8Array(nodes);
  }

  /** In_l never gets lighter, is over the level's own peers, counts no signer twice; the lists keep their bound. */
  afterEvent(node: HandelNode): void {
    const { id } = node;
    const { tree } = this.#scheme;
    for (let level = 1; level <= tree.levels; level++) {
      const at = id * (tree.levels + 1) + level;
      const weight = node.inWeight(level);
      const block = tree.peerBlock(node.id, level);
      this.#require(node.pendingOn(level) <= 2 * tree.size(block), id, `level ${level}: pending within its bound`);
      const before = this.#inWeight[at]!;
      if (weight === before) continue;
      this.#require(weight > before, id, `level ${level}: In_l never lighter, ${before} then ${weight}`);
      this.#inWeight[at] = weight;
      this.#requireSet(node.in(level), block, weight, id);
    }
    this.checks++;
  }

  /** One verification at a time (v1.03 section 6). */
  onVerify(id: number): void {
    this.#require(this.#verifying[id] === 0, id, 'one verification at a time');
    this.#verifying[id] = 1;
  }

  onVerified(id: number): void {
    this.#verifying[id] = 0;
  }

  /** Every output verifies, meets the threshold, is heavier than the last, and has only live nodes in it (v1.03 sections 2.4, 4.3). */
  onOutput(id: number, contribution: Contribution): void {
    const weight = this.#scheme.weight(contribution);
    this.#require(weight >= this.#world.threshold, id, `output over the threshold, ${weight}`);
    this.#require(weight > this.#lastOutput[id]!, id, `output heavier than the last, ${weight}`);
    this.#lastOutput[id] = weight;
    this.#requireSet(contribution, 1, weight, id);
    this.#require(this.#scheme.verify(contribution), id, 'output verifies');
    this.checks++;
  }

  #requireSet(contribution: Contribution, block: number, weight: number, id: number): void {
    this.#require(contribution !== NONE && this.#scheme.block(contribution) === block, id, 'a set over its block');
    const words = this.#scheme.setWords(contribution);
    let signers = 0;
    for (const word of words) signers += popcount(word);
    this.#require(signers === weight && weight === this.#scheme.weight(contribution), id, 'no signer counted twice');
    const start = this.#scheme.tree.start(block);
    for (let signer = 0; signer < words.length * 32; signer++) {
      if (((words[signer >>> 5]! >>> (signer & 31)) & 1) === 0) continue;
      this.#require(this.#world.present[start + signer] === 1, id, `signer ${start + signer} contributed`);
    }
  }

  #require(holds: boolean, id: number, claim: string): void {
    if (!holds) throw new CheckFailed(`node ${id}: expected ${claim}`);
  }
}
