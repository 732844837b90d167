import { CountingScheme } from '../src/contribution/countingScheme.ts';
import { defaultHandelConfig, type HandelConfig } from '../src/handel/config.ts';
import { type HandelRules, HandelTimer } from '../src/handel/options.ts';
import { HandelNode } from '../src/handel/packed/node.ts';
import { List } from '../src/handel/packed/pending.ts';
import { Tree, type TreeForm } from '../src/overlay/tree.ts';
import { noContribution } from '../src/protocol.ts';
import type { Quorum } from '../src/stakes/stakes.ts';
import { rankedById } from './priorities.ts';
import { ProtocolBench } from './protocolBench.ts';
import type { Check } from './recordingPort.ts';
import { contributionOf, forgeryOf, signersOf } from './sets.ts';

export interface NodeBenchOptions {
  readonly nodes?: number;
  readonly form?: TreeForm;
  readonly id?: number;
  readonly config?: Partial<HandelConfig>;
  /** Quorum over the same tree. Its first requirement supplies the weights of contributions. */
  readonly quorum?: Quorum;
  readonly rules?: HandelRules;
}

/** Test bench with a node of Handel. */
export class NodeBench extends ProtocolBench<HandelNode> {
  constructor({ nodes = 16, form = 'spread', id = 0, config = {}, quorum, rules }: NodeBenchOptions = {}) {
    const scheme = new CountingScheme(new Tree(nodes, form), quorum?.requirements[0]?.stakes);
    const own = scheme.individual(id);
    const all = { ...defaultHandelConfig, threshold: nodes, ...config };
    const priorities = rankedById(nodes, form);
    super(scheme, (port) => new HandelNode({ id, config: all, scheme, priorities, rules, own, quorum, port }));
  }

  /** Delivers a message with the sender's individual contribution, as an honest peer sends it. */
  receive(
    from: number,
    level: number,
    signers: readonly number[],
    { flags = 0, forged = false, individual = true } = {},
  ): void {
    const block = this.scheme.tree.peerBlock(this.node.id, level);
    const aggregate = (forged ? forgeryOf : contributionOf)(this.scheme, block, signers);
    const alone = !individual || (signers.length === 1 && signers[0] === from);
    this.node.onMessage(from, level, aggregate, alone ? noContribution : this.scheme.individual(from), flags);
    this.scheme.release(aggregate);
  }

  /** Delivers a message as {@link receive} does, and ends all verifications. */
  receiveAndVerify(...message: Parameters<NodeBench['receive']>): void {
    this.receive(...message);
    this.verifyAll();
  }

  /** The verification in progress, of which there is at most one. */
  get checking(): Check | undefined {
    return this.port.checks[0];
  }

  /** Runs the rest of the dissemination period: timers expire in order, up to the one that ends the period. */
  tick(): void {
    while (this.timeout() !== HandelTimer.period);
  }

  /** Expires the next timer. @returns its number. */
  timeout(): number {
    const { timers } = this.port;
    const [next] = timers.toSorted((one, other) => one.dueUs - other.dueUs);
    if (next === undefined) throw new Error('no timer is set');
    timers.splice(timers.indexOf(next), 1);
    this.port.timeUs = next.dueUs;
    this.node.onTimer(next.timer);
    return next.timer;
  }

  /** Returns the number of unverified contributions stored on a level. */
  pendingOn(level: number): number {
    let count = 0;
    const lists = [List.queued, List.dormant];
    for (const list of lists) this.node.inspector.forEachContribution(level, list, () => count++);
    return count;
  }

  in(level: number): number[] {
    return signersOf(this.scheme, this.node.inspector.in(level));
  }
}
