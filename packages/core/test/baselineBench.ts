import { expect } from 'vitest';
import { CountingScheme } from '../src/contribution/countingScheme.ts';
import { Tree } from '../src/overlay/tree.ts';
import { type Contribution, noContribution, type ProtocolNode } from '../src/protocol.ts';
import type { ScreeningRefusal } from '../src/refusals.ts';
import { ProtocolBench } from './protocolBench.ts';
import type { RecordingPort } from './recordingPort.ts';
import { contributionOf, forgeryOf } from './sets.ts';

type RefusedMessage = readonly [...message: Parameters<ProtocolNode['onMessage']>, code: ScreeningRefusal];

/** How a message is delivered: its flags, whether its aggregate is forged, and its individual contribution. */
export interface Delivery {
  readonly flags?: number;
  readonly forged?: boolean;
  readonly individual?: Contribution;
}

/** The options of a node that a bench does not make, and the number of nodes. */
export type BenchSetting<Options> = Partial<Omit<Options, 'scheme' | 'own' | 'port'>> & { readonly nodes?: number };

/** Test bench with a node of a baseline. */
export class BaselineBench<Node extends ProtocolNode> extends ProtocolBench<Node> {
  constructor(nodes: number, make: (scheme: CountingScheme, port: RecordingPort) => Node) {
    const scheme = new CountingScheme(new Tree(nodes));
    super(scheme, (port) => make(scheme, port));
  }

  receive(
    from: number,
    level: number,
    block: number,
    signers: readonly number[],
    { flags = 0, forged = false, individual = noContribution }: Delivery = {},
  ): void {
    const aggregate = (forged ? forgeryOf : contributionOf)(this.scheme, block, signers);
    this.node.onMessage(from, level, aggregate, individual, flags);
    this.scheme.release(aggregate);
  }

  receiveIndividual(from: number, signer: number, options: Delivery = {}): void {
    this.receive(from, 0, this.scheme.tree.leaf(signer), [signer], options);
  }

  /** Delivers messages, and checks that the node rejects each message with its code and stores nothing from it. */
  expectRefused(messages: readonly RefusedMessage[]): void {
    const { held } = this.scheme;
    for (const [from, level, aggregate, individual, flags, code] of messages) {
      this.node.onMessage(from, level, aggregate, individual, flags);
      expect(this.port.refusals.at(-1)).toEqual({ level, peer: from, code });
    }
    expect(this.port.checks).toEqual([]);
    expect(this.scheme.held).toBe(held);
  }

  /** Expires the oldest timer that the node has set, at the time for which it was set. */
  tick(): void {
    const timer = this.port.timers.shift();
    if (timer === undefined) throw new Error('no timer is set');
    this.port.timeUs += timer.delayUs;
    this.node.onTimer(timer.timer);
  }
}
