import {
  type Contribution,
  CountingScheme,
  HandelMemory,
  type HandelNode,
  HandelTimer,
  MessageFlag,
  type Port,
} from '@tutti/core';
import { Checkers } from '../../checkers/checkers.ts';
import {
  aboutOf,
  ChoiceKind,
  choice,
  codeOf,
  contributionCode,
  decodeContribution,
  decodeMessageCode,
  kindOf,
  messageCode,
} from './codes.ts';
import type { ModelSetting } from './setting.ts';

/** State of a node in a model, in addition to the node's own state. */
export interface NodeRecord {
  /** The node; undefined for the Byzantine node. */
  node: HandelNode | undefined;
  started: boolean;
  /** Whether the node's dissemination timer is set. */
  timerSet: boolean;
  /** Number of expiries of the node's timer. The number serves as the node's clock, in dissemination periods. */
  fired: number;
  /** Ticket of the current verification, 0 for none. */
  ticket: number;
  /** Signers of the last output, as bits. */
  output: number;
  /** Senders whose invalid contributions the node has verified or is verifying, as bits. */
  invalidFrom: number;
}

/**
 * A model of two to four shipped nodes in which every next event is a choice. The model has no clock and no queue, only
 * the possible events. After each event, the checkers of simulated runs check the claims that hold at every moment.
 *
 * A node's clock advances only with its own timer, so each node can be arbitrarily fast or slow relative to the others.
 * A new model reuses the memory of the previous one, which can then no longer be used.
 */
export class SmallWorld {
  readonly setting: ModelSetting;
  readonly scheme: CountingScheme;
  readonly records: readonly NodeRecord[];
  /** Codes of the messages in flight, ascending; a code may occur more than once. */
  readonly inFlight: number[] = [];
  /** Id of the Byzantine node; -1 if the model has none, or if it is not chosen yet. */
  byzantine = -1;
  lossesLeft: number;
  repeatsLeft: number;
  injectionsLeft: number;
  readonly #checkers: Checkers;
  #tickets = 0;

  constructor(setting: ModelSetting) {
    this.setting = setting;
    const { config, priorities, options, world, slab } = setting;
    this.lossesLeft = options.losses;
    this.repeatsLeft = options.repeats;
    this.injectionsLeft = options.injections;
    const scheme = new CountingScheme(setting.tree);
    this.scheme = scheme;
    slab.clear();
    const memory = new HandelMemory({ config, scheme, priorities }, slab);
    const { window } = memory.state;
    const growsRanks = !options.without.includes('rank-growth');
    this.#checkers = new Checkers({ scheme, world, priorities, window, nowUs: () => 0, growsRanks });
    this.records = Array.from({ length: options.nodes }, (_, id) => {
      const own = scheme.individual(id);
      const node = options.node({ id, config, scheme, priorities, own, port: this.#port(id), memory });
      return { node, started: false, timerSet: false, fired: 0, ticket: 0, output: 0, invalidFrom: 0 };
    });
  }

  /** Returns all possible events, in an order that only depends on the state. */
  choices(): number[] {
    const { nodes, byzantine, timers } = this.setting.options;
    const choices: number[] = [];
    if (byzantine === 1 && this.byzantine < 0) {
      for (let id = 0; id < nodes; id++) choices.push(choice(ChoiceKind.cast, id));
      return choices;
    }
    for (const [id, { node, started, timerSet, fired, ticket }] of this.records.entries()) {
      if (node === undefined) continue;
      if (!started) choices.push(choice(ChoiceKind.start, id));
      if (ticket !== 0) choices.push(choice(ChoiceKind.verified, id));
      if (timerSet && fired < timers) choices.push(choice(ChoiceKind.timer, id));
    }
    let before = -1;
    for (const message of this.inFlight) {
      if (message === before) continue;
      before = message;
      choices.push(choice(ChoiceKind.deliver, message));
      if (this.repeatsLeft > 0) choices.push(choice(ChoiceKind.repeat, message));
      if (this.lossesLeft > 0) choices.push(choice(ChoiceKind.lose, message));
    }
    if (this.byzantine >= 0 && this.injectionsLeft > 0) {
      for (const message of injections(this.scheme, this.byzantine)) choices.push(choice(ChoiceKind.inject, message));
    }
    return choices;
  }

  /** Returns whether a choice is possible in the current state, apart from the limit on timers. */
  allows(chosen: number): boolean {
    const kind = kindOf(chosen);
    if (kind === ChoiceKind.timer) return this.records[aboutOf(chosen)]!.timerSet;
    return this.choices().includes(chosen);
  }

  /** Applies a choice. @throws CheckFailed for a violated claim, and any error that a node throws. */
  apply(chosen: number): void {
    const about = aboutOf(chosen);
    switch (kindOf(chosen)) {
      case ChoiceKind.cast:
        this.byzantine = about;
        this.records[about]!.node = undefined;
        return;
      case ChoiceKind.start:
        this.#start(about);
        return;
      case ChoiceKind.deliver:
        this.#takeOff(about);
        this.#arrive(about);
        return;
      case ChoiceKind.repeat:
        this.repeatsLeft--;
        this.#arrive(about);
        return;
      case ChoiceKind.lose:
        this.lossesLeft--;
        this.#takeOff(about);
        return;
      case ChoiceKind.timer:
        this.#fireTimer(about);
        return;
      case ChoiceKind.verified:
        this.#endVerification(about);
        return;
      case ChoiceKind.inject:
        this.injectionsLeft--;
        this.#arrive(about);
        return;
    }
  }

  #start(id: number): void {
    this.records[id]!.started = true;
    this.records[id]!.node!.start();
    this.#check(id);
  }

  #fireTimer(id: number): void {
    const record = this.records[id]!;
    record.timerSet = false;
    record.fired++;
    record.node!.onTimer(HandelTimer.period);
    this.#check(id);
  }

  #endVerification(id: number): void {
    const record = this.records[id]!;
    const { ticket } = record;
    const verdicts = record.node!.inspector.checking.map(({ contribution }) => this.scheme.verify(contribution));
    record.ticket = 0;
    this.#checkers.onVerified(id, verdicts);
    if (verdicts.length > 1) record.node!.onBatchVerified(ticket, verdicts);
    else record.node!.onVerified(ticket, verdicts[0]!);
    this.#check(id);
  }

  #arrive(message: number): void {
    const { from, to, level, aggregate, individual, flags } = decodeMessageCode(message);
    const { scheme } = this;
    const first = decodeContribution(scheme, aggregate);
    const second = decodeContribution(scheme, individual);
    this.records[to]!.node!.onMessage(from, level, first, second, flags);
    scheme.release(first);
    scheme.release(second);
    this.#check(to);
  }

  #takeOff(message: number): void {
    this.inFlight.splice(this.inFlight.indexOf(message), 1);
  }

  #check(id: number): void {
    this.#checkers.afterEvent(this.records[id]!.node!);
  }

  #send(message: number): void {
    let at = this.inFlight.length;
    while (at > 0 && this.inFlight[at - 1]! > message) at--;
    this.inFlight.splice(at, 0, message);
  }

  #verify(id: number, batch: readonly Contribution[], levels: readonly number[], senders: readonly number[]): number {
    const record = this.records[id]!;
    const verdicts = batch.map((contribution) => this.scheme.verify(contribution));
    this.#checkers.onVerify(id, record.node, levels, senders, batch, verdicts);
    for (const [place, valid] of verdicts.entries()) if (!valid) record.invalidFrom |= 1 << senders[place]!;
    this.#tickets++;
    record.ticket = this.#tickets;
    return record.ticket;
  }

  #port(id: number): Port {
    const { scheme } = this;
    const { disseminationPeriodMs } = this.setting.config;
    return {
      nowUs: () => Math.round(this.records[id]!.fired * disseminationPeriodMs * 1000),
      send: (to, level, aggregate, individual, flags) => {
        // Messages to the Byzantine node change nothing: it may send any message of its set at any time.
        if (this.records[to]!.node === undefined) return;
        const codes = [contributionCode(scheme, aggregate), contributionCode(scheme, individual)] as const;
        this.#send(messageCode({ from: id, to, level, aggregate: codes[0], individual: codes[1], flags }));
      },
      // Levels start at the ends of periods, so the model does not need the other timer.
      setTimer: (_delayUs, timer) => {
        if (timer === HandelTimer.period) this.records[id]!.timerSet = true;
      },
      verify: (contribution, level, peer) => this.#verify(id, [contribution], [level], [peer]),
      verifyBatch: (contributions, levels, peers) => this.#verify(id, contributions, levels, peers),
      output: (contribution) => {
        this.#checkers.onOutput(id, contribution);
        this.records[id]!.output = contributionCode(scheme, contribution) & 15;
      },
      refuse: () => {},
      trace: () => {},
    };
  }
}

/**
 * Returns the messages that a Byzantine node may send: to every peer, on their common level, every set over its own
 * subtree, valid or forged, with its own individual contribution, a forged one or none, with or without the flag for a
 * complete level. Messages that the screening of v1.03 section 3.5.2 would drop are left out, since they change
 * nothing.
 *
 * Valid sets may contain contributions that the node has not received yet, so the node has more power here than in a
 * simulation.
 *
 * @returns codes of messages, ascending.
 */
function injections(scheme: CountingScheme, byzantine: number): readonly number[] {
  const { tree } = scheme;
  const leaf = tree.leaf(byzantine);
  const messages: number[] = [];
  for (let to = 0; to < tree.nodes; to++) {
    if (to === byzantine) continue;
    const level = tree.levelBetween(byzantine, to);
    const block = tree.peerBlock(to, level);
    for (const flags of [0, MessageFlag.levelReceived]) {
      for (const individual of [0, codeOf(leaf, 1, 0), codeOf(leaf, 1, 1)]) {
        for (const forged of [0, 1]) {
          for (let set = 1; set < 1 << tree.size(block); set++) {
            const aggregate = codeOf(block, set, forged);
            messages.push(messageCode({ from: byzantine, to, level, aggregate, individual, flags }));
          }
        }
      }
    }
  }
  return messages;
}
