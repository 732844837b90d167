import type { AggregationScheme } from '../contribution/scheme.ts';
import { expected, requireInteger } from '../errors.ts';
import type { VerificationPriorities } from '../overlay/verificationPriority.ts';
import { type Contribution, MessageFlag, NONE, type Port, type ProtocolNode, TraceKind } from '../protocol.ts';
import { Slab } from '../slab.ts';
import { forgetOuts, improveIn, outOf } from './aggregation.ts';
import { checkHandelConfig, type HandelConfig } from './config.ts';
import { contactNext, hasListeners, isActive, sendOut } from './dissemination.ts';
import { Levels } from './levels.ts';
import { PeerFact, Peers } from './peers.ts';
import { List, Pending } from './pending.ts';
import { forgetScores, pruneLevel, pruneSender, rerank, wakeDormant } from './pruning.ts';
import { receive } from './reception.ts';
import { screen } from './screening.ts';
import { type Choice, chooseNext } from './selection.ts';
import { isSilenced, silence } from './silence.ts';
import { type HandelState, rankOf } from './state.ts';
import { nextWindowSize } from './window.ts';

/** The one timer that a node sets: the dissemination period. */
const disseminate = 0;

export interface HandelOptions {
  /** The node's position in the overlay, 0 to N-1. */
  readonly id: number;
  readonly config: HandelConfig;
  readonly scheme: AggregationScheme;
  readonly priorities: VerificationPriorities;
  /** In_0, the node's individual contribution; retained for as long as the node lives. */
  readonly own: Contribution;
  readonly port: Port;
  /** Where the node's state lies; nodes of one process share one, so that a node costs few objects. Default: one of its own. */
  readonly slab?: Slab;
}

/**
 * A node of Handel (v1.03 section 3). It only routes: what to contact, to keep, to verify next and to aggregate is decided in the files
 * beside this one.
 */
export class HandelNode implements ProtocolNode {
  readonly #state: HandelState;
  readonly #port: Port;
  #startUs: number | undefined;
  /** What is being verified: one contribution at a time (v1.03 section 6). */
  #checking: Choice | undefined;
  #ticket = -1;
  #bestOutput = 0;

  /** @throws RangeError for an id or a parameter out of its range. */
  constructor({ id, config, scheme, priorities, own, port, slab = new Slab() }: HandelOptions) {
    const { tree } = scheme;
    requireInteger('id', id, 0, tree.nodes - 1);
    checkHandelConfig(config, tree.nodes);
    scheme.retain(own);
    this.#port = port;
    this.#state = {
      id,
      config,
      scheme,
      priorities,
      own,
      levels: new Levels(tree, id, config.window.initial, slab),
      pending: new Pending(tree.levels, slab),
      peers: new Peers(slab),
    };
  }

  get id(): number {
    return this.#state.id;
  }

  start(): void {
    if (this.#startUs !== undefined) throw new RangeError(expected('start', 'to be called once', 'again'));
    this.#startUs = this.#port.nowUs();
    this.#fastPath(1);
    this.#giveOutput();
    this.#scheduleDissemination();
    this.#verifyNext();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const refusal = screen(this.#state, from, level, aggregate, individual, flags);
    if (refusal !== 0) {
      this.#port.trace(TraceKind.refused, level, from, refusal);
      return;
    }
    const wasSilenced = isSilenced(this.#state, level, from);
    if ((flags & MessageFlag.levelReceived) !== 0) silence(this.#state, level, from);
    if (this.#state.levels.inComplete(level)) {
      // We have stopped sending to this peer, so it cannot know, and would go on for ever.
      if (wasSilenced && (flags & MessageFlag.answer) === 0)
        sendOut(this.#state, this.#port, level, from, MessageFlag.answer);
      return;
    }
    if (receive(this.#state, from, level, aggregate, individual)) this.#verifyNext();
  }

  /** Periodic dissemination: one peer on each active level (v1.03 section 3.5.1), for ever. */
  onTimer(_timer: number): void {
    const sinceStartUs = this.#port.nowUs() - (this.#startUs ?? 0);
    for (let level = 1; level <= this.#state.levels.count; level++) {
      if (isActive(this.#state, level, sinceStartUs)) contactNext(this.#state, this.#port, level, 1);
    }
    this.#scheduleDissemination();
  }

  onVerified(ticket: number, valid: boolean): void {
    const checked = this.#checking;
    if (checked === undefined || ticket !== this.#ticket) {
      throw new RangeError(expected('ticket', `the one in flight (${this.#ticket})`, ticket));
    }
    this.#checking = undefined;
    const { levels, config, scheme } = this.#state;
    levels.setWindow(checked.level, nextWindowSize(levels.window(checked.level), valid, config.window));
    if (valid) this.#onValid(checked);
    else this.#onInvalid(checked);
    scheme.release(checked.contribution);
    this.#verifyNext();
  }

  /** Weight of In_l, for checkers. */
  inWeight(level: number): number {
    return this.#state.levels.inWeight(level);
  }

  /** In_l, lent, for checkers. */
  in(level: number): Contribution {
    return this.#state.levels.in(level);
  }

  /** Contributions kept unverified on a level, for checkers. */
  pendingOn(level: number): number {
    return this.#state.pending.length(level, List.queued) + this.#state.pending.length(level, List.dormant);
  }

  #onValid({ level, sender, contribution, isIndividual }: Choice): void {
    const state = this.#state;
    const rankBefore = rankOf(state, sender);
    state.peers.countVerified(sender);
    rerank(state, level, sender, rankBefore);
    const improvement = improveIn(state, level, contribution);
    if (isIndividual) {
      state.scheme.retain(contribution);
      state.pending.push(level, List.verified, sender, contribution);
    }
    if (improvement === 'none') return;

    this.#port.trace(TraceKind.levelImproved, level, sender, state.levels.in(level));
    forgetOuts(state, level);
    if (state.levels.inComplete(level)) {
      pruneLevel(state, level);
      const frontier = state.levels.frontier;
      state.levels.advanceFrontier();
      this.#fastPath(frontier + 1);
    } else {
      forgetScores(state, level);
      if (improvement === 'replaced') wakeDormant(state, level);
    }
    this.#giveOutput();
  }

  #onInvalid({ level, sender }: Choice): void {
    this.#port.trace(TraceKind.blacklisted, level, sender, NONE);
    silence(this.#state, level, sender);
    this.#state.peers.add(sender, PeerFact.blacklisted);
    pruneSender(this.#state, level, sender);
  }

  #verifyNext(): void {
    if (this.#checking !== undefined || this.#startUs === undefined) return;
    const choice = chooseNext(this.#state);
    if (choice === undefined) return;
    this.#checking = choice;
    this.#port.trace(TraceKind.checking, choice.level, choice.sender, choice.contribution);
    this.#ticket = this.#port.verify(choice.contribution);
  }

  /** Out_l became complete on the levels from `first` up: sends it at once to a few peers of each (v1.03 section 3.5.1). */
  #fastPath(first: number): void {
    const { levels, config } = this.#state;
    const last = Math.min(levels.frontier, levels.count);
    for (let level = first; level <= last; level++) contactNext(this.#state, this.#port, level, config.fastPathPeers);
  }

  /** Gives the final aggregate when it is over the threshold and heavier than the last (v1.03 section 2.4). */
  #giveOutput(): void {
    const weight = this.#state.levels.totalWeight();
    if (weight < this.#state.config.threshold || weight <= this.#bestOutput) return;
    this.#bestOutput = weight;
    this.#port.output(outOf(this.#state, this.#state.levels.count + 1));
  }

  #scheduleDissemination(): void {
    for (let level = 1; level <= this.#state.levels.count; level++) {
      if (!hasListeners(this.#state, level)) continue;
      this.#port.setTimer(Math.round(this.#state.config.disseminationPeriodMs * 1000), disseminate);
      return;
    }
  }
}
