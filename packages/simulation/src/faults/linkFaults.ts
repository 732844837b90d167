import {
  type AggregationScheme,
  type Contribution,
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  type ForgingScheme,
  type MessageRefusal,
  type RandomStream,
} from '@tutti/core';
import type { Fault } from '../scenario/faultPlan.ts';
import { type Fate, LinkFates } from './linkFates.ts';
import type { InjectedCounts } from './nodeFaults.ts';

/** Functions that carry a message once its fate is decided. */
export interface Carrier {
  /** Virtual time, µs. */
  readonly nowUs: number;
  /**
   * Transmits a message. @param extraUs delay in addition to the network's latency, or -1 for a message that does not
   * arrive.
   */
  carry(
    from: number,
    to: number,
    level: number,
    aggregate: Contribution,
    individual: Contribution,
    flags: number,
    extraUs: number,
  ): void;
  /** Counts a message rejected before it reaches its receiver. */
  countRefusal(code: MessageRefusal): void;
}

interface LinkFaultsOptions {
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
 * The effects of a plan on the network. The faults apply when a run takes a message from its sender, so honest and
 * Byzantine nodes have the same network.
 */
export class LinkFaults {
  readonly #options: LinkFaultsOptions;
  readonly #fates: LinkFates;

  constructor(options: LinkFaultsOptions) {
    const { faults, nodes, seed } = options;
    this.#options = options;
    this.#fates = new LinkFates(faults, nodes, seed);
  }

  /** Carries a message, or its copies, as far as the current faults allow. */
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

  /** Transmits a corrupted message. Authenticated channels drop every altered message (v1.03 section 2.3). */
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

/** Returns the same set with an invalid signature, retained once for the caller. */
function withWrongSignature(scheme: ForgingScheme, contribution: Contribution): Contribution {
  return scheme.forge(scheme.block(contribution), setOf(scheme, contribution));
}

/** Maximum number of bits that are flipped in one message. */
const maxFlips = 8;

/**
 * Flips one to eight bits of a message's bytes, and decodes the result as the receiver does. A contribution whose set
 * was changed is invalid in every scheme, because a signature belongs to its own signers.
 */
function withFlippedBits(
  scheme: ForgingScheme,
  random: RandomStream,
  from: number,
  to: number,
  level: number,
  aggregate: Contribution,
  individual: Contribution,
  flags: number,
): DecodedMessage {
  const bytes = encodeMessage(scheme, level, aggregate, individual, flags);
  for (let left = 1 + random.nextBelow(maxFlips); left > 0; left--) {
    const bit = random.nextBelow(bytes.length * 8);
    bytes[bit >>> 3]! ^= 1 << (bit & 7);
  }
  const read = decodeMessage(scheme, to, from, bytes);
  if (!read.ok || isSameSet(scheme, read.aggregate, aggregate)) return read;
  const forged = withWrongSignature(scheme, read.aggregate);
  scheme.release(read.aggregate);
  return { ...read, aggregate: forged };
}

function isSameSet(scheme: AggregationScheme, a: Contribution, b: Contribution): boolean {
  if (scheme.block(a) !== scheme.block(b)) return false;
  const words = scheme.setWords(b);
  return scheme.setWords(a).every((word, index) => word === words[index]);
}

/** Returns a set in the form that {@link ForgingScheme.forge} requires: undefined for the whole block. */
function setOf(scheme: AggregationScheme, contribution: Contribution): Int32Array | undefined {
  const isWhole = scheme.weight(contribution) === scheme.tree.size(scheme.block(contribution));
  return isWhole ? undefined : scheme.setWords(contribution);
}
