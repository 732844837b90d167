import type { Contribution, ForgingScheme, MessageRefusal } from '@tutti/core';
import type { Fault } from '../scenario/faultPlan.ts';
import { withFlippedBits, withWrongSignature } from './corruption.ts';
import type { InjectedCounts } from './injected.ts';
import { type Fate, LinkFates } from './linkFates.ts';

/** How a run carries a message once its fate is decided. */
export interface Carrier {
  /** Virtual time, microseconds. */
  readonly nowUs: number;
  /** @param extraUs on top of the network's latency, or -1 for a message that does not arrive. */
  carry(
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
    extraUs: number,
  ): void;
  /** Counts a message that is refused before it reaches its receiver. */
  countRefusal(code: MessageRefusal): void;
}

export interface LinkFaultsOptions {
  readonly faults: readonly Fault[];
  readonly nodes: number;
  readonly seed: number;
  readonly scheme: ForgingScheme;
  /** Whether channels are authenticated (v1.03 section 2.3). */
  readonly authenticated: boolean;
  readonly carrier: Carrier;
  readonly counts: InjectedCounts;
}

/**
 * What a plan does to the network. It stands where a run takes a message over from its sender, whoever that is: honest
 * and Byzantine nodes have the same network.
 */
export class LinkFaults {
  readonly #options: LinkFaultsOptions;
  readonly #fates: LinkFates;

  constructor(options: LinkFaultsOptions) {
    const { faults, nodes, seed } = options;
    this.#options = options;
    this.#fates = new LinkFates(faults, nodes, seed);
  }

  /** Carries a message, or its copies, as far as the faults of the moment let it. */
  send(
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    const { carrier, counts } = this.#options;
    const fate = this.#fates.next(carrier.nowUs, from, to);
    if (fate.lostTo !== undefined) {
      counts.count(fate.lostTo);
      carrier.carry(from, to, level, aggregate, individual, flags, -1);
      return;
    }
    if (fate.corruption !== undefined) {
      counts.count('corruption');
      this.#sendCorrupted(fate, fate.corruption, from, to, level, aggregate, individual, flags);
      return;
    }
    this.#carry(fate, from, to, level, aggregate, individual, flags);
  }

  #carry(
    { copyAfterUs, heldUs, slowedUs }: Fate,
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    const { carrier, counts } = this.#options;
    if (heldUs > 0) counts.count('reordering');
    if (slowedUs > 0) counts.count('slow-links');
    carrier.carry(from, to, level, aggregate, individual, flags, heldUs + slowedUs);
    if (copyAfterUs === undefined) return;
    counts.count('duplication');
    carrier.carry(from, to, level, aggregate, individual, flags, copyAfterUs + heldUs + slowedUs);
  }

  /** Authenticated channels let nothing through that was altered (v1.03 section 2.3). */
  #sendCorrupted(
    fate: Fate,
    { fault, random }: NonNullable<Fate['corruption']>,
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
  ): void {
    const { scheme, carrier, authenticated } = this.#options;
    const refused = (code: MessageRefusal): void => {
      carrier.countRefusal(code);
      carrier.carry(from, to, level, aggregate, individual, flags, -1);
    };
    if (authenticated) {
      refused('forged');
    } else if (fault.of === 'signature') {
      const forged = withWrongSignature(scheme, aggregate);
      this.#carry(fate, from, to, level, forged, individual, flags);
      scheme.release(forged);
    } else {
      const read = withFlippedBits(scheme, random, from, to, level, aggregate, individual, flags);
      if (!read.ok) {
        refused(read.code);
        return;
      }
      this.#carry(fate, from, to, read.level, read.aggregate, read.individual, read.flags);
      scheme.release(read.aggregate);
      scheme.release(read.individual);
    }
  }
}
