import { type Contribution, noContribution, type ProtocolNode } from '@tutti/core';
import type { Attack, AttackSetting, ByzantinePort, Coalition } from './attack.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacks.ts';

/** Period, ms: half of an honest node's default dissemination period. */
const periodMs = 10;

/**
 * Sends valid and heavy contributions that exclude one honest node, the heaviest if nodes weigh differently (v1.03
 * section 4.1 (3)). The coalition has the Byzantine nodes' individual contributions, and reads those of honest nodes in
 * transit. It sends each node that has the victim among a level's peers an aggregate of all other peers on that level.
 * That aggregate overlaps every honest aggregate that contains the victim, so the two cannot be aggregated. With equal
 * weights, no honest aggregate is heavier, since members send their contributions to no other node.
 */
export const censor: Attack = {
  name: 'censor',
  section: 'v1.03 4.1 (3)',
  aim: "Keeps an honest contribution out of all other nodes' aggregates by sending heavier aggregates without this contribution.",
  against: ['handel'],
  form: (setting) => new Censors(setting),
};

class Censors implements Coalition {
  readonly #setting: AttackSetting;
  /** Node whose contribution is excluded: the heaviest victim if weights differ, otherwise a random one. */
  readonly #excluded: number;
  /** Individual contributions of Byzantine nodes, and those of honest nodes read in transit, by node id; retained. */
  readonly #read: Contribution[] = [];
  /** Number of contributions read in transit. */
  #reads = 0;
  /**
   * Per block: the last aggregate without the excluded contribution, and the value of `#reads` when the aggregate was
   * computed.
   */
  readonly #without = new Map<number, { readonly contribution: Contribution; readonly reads: number }>();

  constructor(setting: AttackSetting) {
    this.#setting = setting;
    const { victims, scheme, isByzantine, individual } = setting;
    const { stakes } = scheme;
    this.#excluded =
      stakes === undefined
        ? victims[Math.floor(setting.random('victim').nextUnit() * victims.length)]!
        : victims.reduce((heaviest, id) => (stakes.weight(id) > stakes.weight(heaviest) ? id : heaviest));
    // Byzantine nodes of other attacks may send forged contributions, so their messages are not read.
    for (let id = 0; id < scheme.tree.nodes; id++) if (isByzantine(id)) this.#read[id] = individual(id);
  }

  join(id: number, port: ByzantinePort): ProtocolNode {
    const levels = honestPeersByLevel(this.#setting, id);
    const member = new PeriodicAttacker(port, periodMs, (round) => {
      const { tree } = this.#setting.scheme;
      for (const [level, peers] of levels.entries()) {
        const to = peers[round % peers.length];
        if (to === undefined || !tree.contains(tree.ownBlock(id, level), this.#excluded)) continue;
        port.send(to, level, this.#aggregateOver(tree.ownBlock(id, level)), noContribution, 0);
      }
    });
    return this.#readBefore(member);
  }

  around(node: ProtocolNode): ProtocolNode {
    return this.#readBefore(node);
  }

  /** Wraps a node, so that the coalition reads each message before the node handles it. */
  #readBefore(node: ProtocolNode): ProtocolNode {
    return {
      start: () => node.start(),
      onMessage: (from, level, aggregate, individual, flags) => {
        this.#readIndividual(from, aggregate, individual);
        node.onMessage(from, level, aggregate, individual, flags);
      },
      onTimer: (timer) => node.onTimer(timer),
      onVerified: (ticket, valid) => node.onVerified(ticket, valid),
      onBatchVerified: (ticket, verdicts) => node.onBatchVerified!(ticket, verdicts),
    };
  }

  #readIndividual(from: number, aggregate: Contribution, individual: Contribution): void {
    if (this.#read[from] !== undefined) return;
    const { scheme } = this.#setting;
    // A contribution over a larger block does not fit into an aggregate over a smaller one.
    const leaf = scheme.tree.leaf(from);
    const own = [individual, aggregate].find((one) => one !== noContribution && scheme.block(one) === leaf);
    if (own === undefined) return;
    scheme.retain(own);
    this.#read[from] = own;
    this.#reads++;
  }

  /**
   * Returns the aggregate of a block's contributions that have been read so far, without the excluded contribution;
   * lent.
   */
  #aggregateOver(block: number): Contribution {
    const { scheme } = this.#setting;
    const before = this.#without.get(block);
    if (before?.reads === this.#reads) return before.contribution;
    const start = scheme.tree.start(block);
    let contribution: Contribution = noContribution;
    for (let signer = start; signer < start + scheme.tree.size(block); signer++) {
      const own = this.#read[signer];
      if (own === undefined || signer === this.#excluded) continue;
      const wider = scheme.aggregate(block, contribution, own);
      scheme.release(contribution);
      contribution = wider;
    }
    scheme.release(before?.contribution ?? noContribution);
    this.#without.set(block, { contribution, reads: this.#reads });
    return contribution;
  }
}
