import { requireNodeArguments } from '../../contribution/scheme.ts';
import { screen } from '../../contribution/screening.ts';
import { expected } from '../../errors.ts';
import {
  type Contribution,
  MessageFlag,
  noContribution,
  type Port,
  type ProtocolNode,
  TraceKind,
} from '../../protocol.ts';
import { type HandelPart, type HandelRules, HandelTimer } from '../options.ts';
import { dueOutput, forgetOuts, improveIn, outOf } from './aggregation.ts';
import { answerImprovement, countUseless, noteAsker, reply, saveCredit, startOver } from './backOff.ts';
import { disseminate, isAnyAtWork, sendFast, startTimeUs } from './dissemination.ts';
import { type Explanation, explainState } from './explanation.ts';
import { Call, HandelMemory, type HandelMemoryOptions, type SharedState } from './memory.ts';
import { answer, contactNext, isSilenced, listenAgain, receive, silence } from './messages.ts';
import { PeerFact } from './peers.ts';
import { List, type PendingList, visitPending } from './pending.ts';
import { forgetScores, pruneLevel, pruneSender, rerank, wakeDormant } from './pruning.ts';
import { type Choice, chooseBatch, nothing, requestVerification } from './selection.ts';
import { rankOf } from './state.ts';

/** Parameters of a {@link HandelNode}. */
export interface HandelOptions extends HandelMemoryOptions, HandelPart {
  /**
   * Memory for the node's state, created with the same config, scheme, priorities, quorum and rules. Many nodes of a
   * process can share one memory. Default: a separate memory.
   */
  readonly memory?: HandelMemory;
}

/**
 * A node of Handel (v1.03 section 3). This class handles calls and timers. The functions of the other files in this
 * folder decide which peers to contact, and which contributions to store, verify next and aggregate. Each call switches
 * the memory to the node's own state.
 *
 * A call throws a TypeError during another call to a node of the same {@link HandelMemory}, or after a call that threw.
 */
export class HandelNode implements ProtocolNode {
  readonly id: number;
  readonly #own: Contribution;
  readonly #state: SharedState;
  /** Address of the node's levels in the slab of its memory, for hosts of many nodes. */
  readonly levelsAt: number;
  readonly #pendingAt: number;
  readonly #port: Port;
  /** Time of the node's start, microseconds; undefined before the start. */
  #startUs: number | undefined;
  /** Contributions that the node is verifying: one at a time (v1.03 section 6), or one batch. */
  #checking: readonly Choice[] = nothing;
  #ticket = -1;
  /**
   * Function that receives the explanation of each attempt to choose a verification, before the verification starts.
   * The explanation's `next` is empty if there is nothing to verify. Displays and checkers set this function.
   */
  onChoice: ((explanation: Explanation) => void) | undefined;
  #bestOutput = 0;
  /** End of the current period, microseconds; undefined while periods have nothing to do. */
  #periodEndUs: number | undefined;
  /** End of the last period, microseconds; -1 before the first one has ended. */
  #lastPeriodEndUs = -1;
  /** Highest level that has started; 0 before the first one. */
  #startedLevels = 0;

  /**
   * @throws RangeError for an id or a parameter out of range; TypeError for a missing argument, for a memory with other
   * parameters, and during a call into one of the memory's nodes.
   */
  constructor(options: HandelOptions) {
    requireNodeArguments(options);
    const { id, config, scheme, priorities, quorum, rules, own, port, memory = new HandelMemory(options) } = options;
    const state = memory.state;
    const isOfThese = state.config === config && state.scheme === scheme && state.priorities === priorities;
    if (!isOfThese || state.quorum !== quorum || state.ownRules !== rules) {
      throw new TypeError(
        'memory: expected memory made for the same config, scheme, priorities, quorum and rules, got memory made for others',
      );
    }
    if ((config.batch ?? 1) > 1 && port.verifyBatch === undefined) {
      throw new TypeError(
        expected(
          'port.verifyBatch',
          'a runtime that verifies batches, because config.batch is greater than 1',
          undefined,
        ),
      );
    }
    const at = state.open(id);
    scheme.retain(own);
    this.id = id;
    this.#own = own;
    this.#port = port;
    this.#state = state;
    this.levelsAt = at.levels;
    this.#pendingAt = at.pending;
  }

  start(): void {
    if (this.#startUs !== undefined) throw new RangeError('start: expected one call, got a second call');
    this.#begin(Call.start);
    this.#startUs = this.#port.nowUs();
    sendFast(this.#state, this.#port, 1);
    this.#giveOutput();
    this.#startLevels();
    this.#startPeriod();
    this.#verifyNext();
    this.#state.end();
  }

  onMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    this.#begin(Call.onMessage);
    this.#handleMessage(from, level, aggregate, individual, flags);
    this.#state.end();
  }

  onTimer(timer: number): void {
    this.#begin(Call.onTimer);
    if (timer === HandelTimer.levelStart) this.#startLevels();
    else this.#disseminate();
    this.#state.end();
  }

  onVerified(ticket: number, valid: boolean): void {
    this.#begin(Call.onVerified);
    this.#onVerdict(this.#endCheck(ticket, 1)[0]!, valid);
    this.#verifyNext();
    this.#state.end();
  }

  onBatchVerified(ticket: number, verdicts: readonly boolean[]): void {
    this.#begin(Call.onBatchVerified);
    const checked = this.#endCheck(ticket, verdicts.length);
    for (const [place, one] of checked.entries()) this.#onVerdict(one, verdicts[place]!);
    this.#verifyNext();
    this.#state.end();
  }

  /**
   * View of the node's internals for checkers, displays and tests, valid until the next call to a node of its memory.
   * The view may change in any version.
   */
  get inspector(): HandelInspector {
    const state = this.#state.look(this.id, this.#own, this.levelsAt, this.#pendingAt);
    return new HandelInspector(state, this.#checking, this.#bestOutput);
  }

  /** Switches the memory to this node for a call. */
  #begin(call: Call): void {
    this.#state.begin(call, this.id, this.#own, this.levelsAt, this.#pendingAt);
  }

  #handleMessage(from: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    const { scheme, id, peers } = this.#state;
    let refusal = screen(scheme, id, from, level, aggregate, individual, flags);
    if (refusal === undefined && peers.has(from, PeerFact.blacklisted)) refusal = 'blacklisted';
    if (refusal !== undefined) {
      this.#port.refuse(level, from, refusal);
      return;
    }
    const isAnswer = (flags & MessageFlag.answer) !== 0;
    const asks = (flags & MessageFlag.levelReceived) === 0;
    const wasSilenced = isSilenced(this.#state, level, from);
    if (!asks) silence(this.#state, level, from);
    const isInComplete = this.#state.levels.inComplete(level);
    const hasOutput = this.#bestOutput > 0;
    if (!isAnswer) {
      // The node does not contact this peer. The peer does not know that this node's level is complete, and without an
      // answer the peer would send forever.
      if (isInComplete && wasSilenced) answer(this.#state, this.#port, level, from);
      else if (asks && this.#state.levels.isQuiet(level)) {
        this.#passPeriods();
        reply(this.#state, this.#port, level, from);
        this.#startPeriod();
      }
      if (asks) noteAsker(this.#state, level, from, hasOutput);
    }
    if (isInComplete) return;
    if (wasSilenced && asks) {
      listenAgain(this.#state, level, from);
      this.#startPeriod();
    }
    if (receive(this.#state, from, level, aggregate, individual)) this.#verifyNext();
    else if (isAnswer && !hasOutput) countUseless(this.#state, level);
  }

  /** Ends the verification with this ticket. @returns the verified contributions, one per verdict. */
  #endCheck(ticket: number, verdicts: number): readonly Choice[] {
    const checked = this.#checking;
    if (checked === nothing || ticket !== this.#ticket) {
      this.#state.end();
      throw new RangeError(expected('ticket', `the ticket of the verification in progress (${this.#ticket})`, ticket));
    }
    if (verdicts !== checked.length) {
      this.#state.end();
      throw new RangeError(expected('verdicts', `one for each of ${checked.length} contributions`, verdicts));
    }
    this.#checking = nothing;
    return checked;
  }

  #onVerdict(checked: Choice, valid: boolean): void {
    const { levels, window, scheme, rules } = this.#state;
    levels.setWindow(checked.level, rules.window(levels.window(checked.level), valid, window));
    if (valid) this.#onValid(checked);
    else this.#onInvalid(checked);
    scheme.release(checked.contribution);
  }

  #onValid({ level, sender, contribution, isIndividual }: Choice): void {
    const state = this.#state;
    const rankBefore = rankOf(state, sender);
    state.peers.countVerified(sender);
    rerank(state, level, sender, rankBefore);
    const improvement = improveIn(state, level, contribution);
    if (isIndividual) {
      state.scheme.retain(contribution);
      state.pending.storeIndividual(level, List.verified, sender, contribution);
    }
    if (improvement === 'none') return;

    this.#port.trace(TraceKind.levelImproved, level, sender, state.levels.in(level));
    forgetOuts(state, level);
    startOver(state, this.#bestOutput > 0);
    if (state.levels.inComplete(level)) {
      pruneLevel(state, level);
      const frontier = state.levels.frontier;
      state.levels.advanceFrontier();
      sendFast(state, this.#port, state.scheme.tree.lastOfTier(frontier) + 1);
    } else {
      forgetScores(state, level);
      if (improvement === 'replaced') wakeDormant(state, level);
    }
    this.#giveOutput();
    if (this.#bestOutput > 0) answerImprovement(state, this.#port, level, sender);
    this.#startPeriod();
  }

  #onInvalid({ level, sender }: Choice): void {
    if (this.#state.off.blacklist) return;
    this.#port.trace(TraceKind.blacklisted, level, sender, noContribution);
    silence(this.#state, level, sender);
    this.#state.peers.add(sender, PeerFact.blacklisted);
    pruneSender(this.#state, level, sender);
    // Scores may depend on a verified contribution of the sender.
    forgetScores(this.#state, level);
  }

  #verifyNext(): void {
    if (this.#checking !== nothing || this.#startUs === undefined) return;
    this.onChoice?.(explainState(this.#state));
    const chosen = chooseBatch(this.#state);
    if (chosen === nothing) return;
    this.#checking = chosen;
    this.#ticket = requestVerification(this.#port, chosen);
  }

  /**
   * Contacts a first peer of each level whose start time has passed (v1.03 section 3.6), and sets a timer for the next
   * level. A level whose Out is complete is already active. If a period has ended since the start time or ends now, the
   * periodic dissemination contacts the level's peer.
   *
   * Intentional divergence: in v1.03 section 3.5.1 only periods and the fast path trigger messages.
   */
  #startLevels(): void {
    const state = this.#state;
    const { levels, off } = state;
    if (off['start-timers']) return;
    const nowUs = this.#port.nowUs();
    const startUs = this.#startUs!;
    while (this.#startedLevels < levels.count) {
      const level = this.#startedLevels + 1;
      const dueUs = startUs + startTimeUs(state, level);
      if (!levels.outComplete(level)) {
        if (dueUs > nowUs) {
          this.#port.setTimer(dueUs - nowUs, HandelTimer.levelStart);
          return;
        }
        const isContactedByPeriod = this.#lastPeriodEndUs >= dueUs || this.#periodEndUs === nowUs;
        if (!isContactedByPeriod) contactNext(state, this.#port, level, 1);
      }
      this.#startedLevels = level;
    }
  }

  /** Ends a period and performs the periodic dissemination. */
  #disseminate(): void {
    this.#periodEndUs = undefined;
    this.#lastPeriodEndUs = this.#port.nowUs();
    disseminate(this.#state, this.#port, this.#lastPeriodEndUs - this.#startUs!, this.#bestOutput > 0);
    this.#startPeriod();
  }

  #giveOutput(): void {
    const stakeWeight = dueOutput(this.#state, this.#bestOutput);
    if (stakeWeight === 0) return;
    this.#bestOutput = stakeWeight;
    this.#port.output(outOf(this.#state, this.#state.levels.count + 1));
  }

  /** Counts periods that were skipped for lack of anything to do, as if they had run. */
  #passPeriods(): void {
    if (this.#periodEndUs !== undefined || this.#startUs === undefined) return;
    const sinceUs = Math.max(this.#lastPeriodEndUs, this.#startUs);
    const periods = Math.max(0, Math.floor((this.#port.nowUs() - sinceUs) / this.#periodUs));
    this.#lastPeriodEndUs = sinceUs + periods * this.#periodUs;
    for (let level = 1; level <= this.#state.levels.count; level++) saveCredit(this.#state, level, periods);
  }

  /** Starts a period, unless one is running, the node has not started, or there is nothing to do in a period. */
  #startPeriod(): void {
    if (this.#periodEndUs !== undefined || this.#startUs === undefined || !isAnyAtWork(this.#state)) return;
    this.#periodEndUs = this.#port.nowUs() + this.#periodUs;
    this.#port.setTimer(this.#periodUs, HandelTimer.period);
  }

  get #periodUs(): number {
    return Math.round(this.#state.config.disseminationPeriodMs * 1000);
  }
}

/**
 * View of the internals of a `HandelNode` for checkers, displays and tests. The view and its contributions are lent
 * until the next call to a node of the same memory.
 */
export class HandelInspector {
  /** The node's whole state. */
  readonly state: SharedState;
  /** Contributions that the node is verifying: none, one, or a batch. */
  readonly checking: readonly Choice[];
  /** Weight of the last output; 0 before the first output. */
  readonly bestOutput: number;

  constructor(state: SharedState, checking: readonly Choice[], bestOutput: number) {
    this.state = state;
    this.checking = checking;
    this.bestOutput = bestOutput;
  }

  get id(): number {
    return this.state.id;
  }

  /** Rules of a variant. Empty for the paper's rules. */
  get rules(): HandelRules {
    return this.state.ownRules ?? {};
  }

  /** Number of integers that pending contributions and facts about peers occupy. */
  get keptInts(): number {
    return this.state.pending.ints + this.state.peers.ints;
  }

  /** Upper bound of {@link keptInts} so far: the sum of the maxima of both parts. */
  get maxInts(): number {
    return this.state.pending.maxInts + this.state.peers.ints;
  }

  /** Returns the weight of In_l. */
  inWeight(level: number): number {
    return this.state.levels.inWeight(level);
  }

  /** Returns In_l. */
  in(level: number): Contribution {
    return this.state.levels.in(level);
  }

  /** Calls a function for each contribution on one list of a level. */
  forEachContribution(
    level: number,
    list: PendingList,
    visit: (sender: number, aggregate: Contribution, individual: Contribution) => void,
  ): void {
    visitPending(this.state.pending, level, list, visit);
  }
}
