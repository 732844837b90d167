import type {
  AggregationScheme,
  Contribution,
  HandelNode,
  HandelRules,
  VerificationPriorities,
  WindowRanks,
} from '@tutti/core';
import { stakeWeightOf } from '@tutti/core/packed';
import type { World } from '../world/world.ts';
import { CheckFailed, type ClaimName } from './claims.ts';
import { brokenIntegrity, LoadChecker, MemoryChecker } from './invariants.ts';
import { SelectionChecker } from './selection.ts';

/** Data about one node, stored until the node loses its state. */
interface Watched {
  /** Per level: the last weight of In_l, which is the stake if the run has stakes, otherwise the number of signers. */
  readonly inWeight: Int32Array;
  /** Weight of the last output, in the same unit; 0 before the first output. */
  lastOutput: number;
  /** Contributions being verified: none, one, or a batch. */
  verifying: readonly { readonly level: number; readonly sender: number }[];
  /** Senders of verified invalid contributions. */
  readonly invalidFrom: Set<number>;
  readonly selection: SelectionChecker;
  /** Rules of the node at its last verification; empty unless the node is a variant. */
  rules: HandelRules;
}

/** Parts of a run that the checkers need. */
interface CheckersOptions {
  readonly scheme: AggregationScheme;
  readonly world: World;
  readonly priorities: VerificationPriorities;
  readonly window: WindowRanks;
  /** Returns the virtual time, µs. */
  readonly nowUs: () => number;
  /** Whether ranks grow with each verification (v1.0 section 3.6); in v1.03 ranks are constant. */
  readonly growsRanks: boolean;
}

/** Checkers of a run. After every event, the checkers check the {@link claims} about the honest node concerned. */
export class Checkers {
  readonly #options: CheckersOptions;
  readonly #scheme: AggregationScheme;
  readonly #world: World;
  readonly #watched: Watched[];
  readonly #memory: MemoryChecker;
  readonly #load: LoadChecker;

  constructor(options: CheckersOptions) {
    const { scheme, world } = options;
    this.#options = options;
    this.#scheme = scheme;
    this.#world = world;
    this.#watched = Array.from({ length: scheme.tree.nodes }, () => this.#watch());
    this.#memory = new MemoryChecker(scheme.tree);
    this.#load = new LoadChecker(world);
  }

  /** Discards a node's recorded values after the node has lost its state. */
  forget(id: number): void {
    this.#watched[id] = this.#watch();
  }

  /**
   * Checks on every level that In_l never becomes lighter and is consistent, and that the memory used for peers is
   * bounded.
   */
  afterEvent(node: HandelNode): void {
    const { id, inspector } = node;
    const { tree } = this.#scheme;
    const { inWeight } = this.#watched[id]!;
    for (let level = 1; level <= tree.levels; level++) {
      const weight =
        this.#scheme.stakes === undefined
          ? inspector.inWeight(level)
          : stakeWeightOf(this.#scheme, inspector.in(level));
      const before = inWeight[level]!;
      if (weight === before) continue;
      if (weight < before)
        this.#fail('growth', id, `level ${level}: expected In_l to grow from ${before}, got ${weight}`);
      inWeight[level] = weight;
      this.#requireIntegrity(id, inspector.in(level), tree.peerBlock(id, level), inspector.inWeight(level));
    }
    const broken = this.#memory.broken(inspector);
    if (broken !== undefined) this.#fail('memory', id, broken);
  }

  /**
   * Checks the start of a verification. A node verifies one contribution at a time, or one batch with at most one
   * contribution per level. It verifies at most one invalid contribution per sender, and only useful contributions, in
   * the right order.
   *
   * @param node the node, if it is a Handel node; other nodes are only checked for the first claim.
   */
  onVerify(
    id: number,
    node: HandelNode | undefined,
    levels: readonly number[],
    senders: readonly number[],
    contributions: readonly Contribution[],
    verdicts: readonly boolean[],
  ): void {
    const watched = this.#watched[id]!;
    if (watched.verifying.length > 0) {
      const what = `expected one verification at a time, got a second verification on level ${levels[0]}`;
      this.#fail('isolation', id, what);
    }
    if (new Set(levels).size < levels.length) {
      const what = `expected at most one contribution per level in a batch, got contributions on levels ${levels}`;
      this.#fail('isolation', id, what);
    }
    watched.verifying = levels.map((level, place) => ({ level, sender: senders[place]! }));
    if (node === undefined) return;
    const { inspector } = node;
    watched.rules = inspector.rules;
    for (const [place, { level, sender }] of watched.verifying.entries()) {
      if (!verdicts[place] && watched.invalidFrom.has(sender)) {
        const what = `expected at most one verified invalid contribution from sender ${sender}, got two`;
        this.#fail('blacklist', id, what);
      }
      if (!verdicts[place]) watched.invalidFrom.add(sender);
      const broken = watched.selection.broken(inspector, level, sender, contributions[place]!);
      if (broken !== undefined) this.#fail(broken.claim, id, `level ${level}: ${broken.what}`);
    }
  }

  /** Records the end of a verification. */
  onVerified(id: number, verdicts: readonly boolean[]): void {
    const watched = this.#watched[id]!;
    for (const [place, { level, sender }] of watched.verifying.entries()) {
      watched.selection.count(level, sender, verdicts[place]!, watched.rules);
    }
    watched.verifying = [];
  }

  /** Records the arrival of a message. */
  onMessage(from: number, to: number): void {
    this.#load.onMessage(from, to, this.#options.nowUs());
  }

  /**
   * Checks the claim on load after a run of Handel with all its mechanisms. The claim concerns the spread tree only.
   */
  afterRun(): void {
    const broken = this.#scheme.tree.form === 'spread' ? this.#load.broken() : undefined;
    if (broken !== undefined) this.#fail('load', broken.node, broken.what);
  }

  /** Checks an output: it is valid, meets the threshold, is heavier than the previous output, and is consistent. */
  onOutput(id: number, contribution: Contribution): void {
    const watched = this.#watched[id]!;
    const weight = this.#scheme.weight(contribution);
    const stakeWeight = stakeWeightOf(this.#scheme, contribution);
    if (weight < this.#world.threshold)
      this.#fail('outputs', id, `expected an output with at least ${this.#world.threshold} signers, got ${weight}`);
    if (stakeWeight <= watched.lastOutput)
      this.#fail('outputs', id, `expected an output heavier than ${watched.lastOutput}, got ${stakeWeight}`);
    watched.lastOutput = stakeWeight;
    this.#requireQuorum(id, contribution);
    this.#requireIntegrity(id, contribution, 1, weight);
    if (!this.#scheme.verify(contribution)) this.#fail('outputs', id, 'expected a valid output, got an invalid one');
  }

  /** Checks that the signers' total weight is sufficient, by adding the weights one by one. */
  #requireQuorum(id: number, contribution: Contribution): void {
    for (const { stakes, min } of this.#world.quorum?.requirements ?? []) {
      let sum = 0n;
      for (let signer = 0; signer < this.#world.alive.length; signer++)
        if (this.#scheme.contains(contribution, signer)) sum += stakes.weight(signer);
      if (sum < min) this.#fail('outputs', id, `expected signers with a weight of at least ${min}, got ${sum}`);
    }
  }

  #watch(): Watched {
    const { scheme, priorities, window, growsRanks } = this.#options;
    return {
      inWeight: new Int32Array(scheme.tree.levels + 1),
      lastOutput: 0,
      verifying: [],
      invalidFrom: new Set(),
      rules: {},
      selection: new SelectionChecker(scheme, priorities, window, growsRanks),
    };
  }

  #requireIntegrity(id: number, contribution: Contribution, block: number, weight: number): void {
    const broken = brokenIntegrity(this.#scheme, this.#world, { contribution, block, weight }, this.#options.nowUs());
    if (broken !== undefined) this.#fail('integrity', id, broken);
  }

  #fail(claim: ClaimName, id: number, what: string): never {
    throw new CheckFailed(claim, id, this.#options.nowUs(), what);
  }
}
