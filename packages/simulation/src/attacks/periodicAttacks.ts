import { type Contribution, encodeMessage, noContribution, type ProtocolNode, type Tree } from '@tutti/core';
import { AlteredPort } from './alteredMessages.ts';
import { type Attack, type AttackSetting, type ByzantinePort, type Coalition, protocolNames } from './attack.ts';
import { Forgeries } from './forgery.ts';

/** Sending period of a member that does not flood, ms: the default dissemination period of an honest node. */
export const periodMs = 20;

/** A Byzantine node that ignores received messages, and acts at its start and then once per period. */
export class PeriodicAttacker implements ProtocolNode {
  readonly #port: ByzantinePort;
  readonly #periodUs: number;
  readonly #act: (round: number) => void;
  #round = 0;

  /** @param act the action; the argument is the number of earlier rounds. */
  constructor(port: ByzantinePort, everyMs: number, act: (round: number) => void) {
    this.#port = port;
    this.#periodUs = Math.round(everyMs * 1000);
    this.#act = act;
  }

  start(): void {
    this.onTimer();
  }

  onTimer(): void {
    this.#act(this.#round++);
    this.#port.setTimer(this.#periodUs, 0);
  }

  onMessage(): void {}

  onVerified(): void {}
}

/**
 * Returns the honest peers of each level in the order in which the node contacts them: peers that rank the node best
 * come first (v1.03 section 3.3). Level 0 has none.
 */
export function honestPeersByLevel(setting: AttackSetting, id: number): readonly (readonly number[])[] {
  const { scheme, priorities, isByzantine } = setting;
  const { tree } = scheme;
  return Array.from({ length: tree.levels + 1 }, (_, level) => {
    const block = tree.peerBlock(id, level);
    if (level === 0 || tree.size(block) === 0) return [];
    const peers = Array.from({ length: priorities.places(block) }, (_, place) => priorities.contact(id, block, place));
    return peers.filter((peer) => peer >= 0 && !isByzantine(peer));
  });
}

/**
 * Period of a flooding member, ms: a fifth of a standard node's time for one verification, so that no node can verify
 * the contributions of even one such member.
 */
const floodPeriodMs = 0.8;

/**
 * Number of periods in which a member sends to the victim. After these periods, a victim that stores everything holds
 * thousands of contributions.
 */
const floodRounds = 250;

/**
 * Sends a stream of different heavy invalid contributions (v1.03 section 3.5.2 limits the number that a node stores).
 * Every member sends one contribution to every honest peer. All members also send contributions continuously to one
 * victim, the middle node in the list of honest nodes, and send each contribution twice.
 */
export const flood: Attack = {
  name: 'flood',
  section: 'v1.03 3.5.2',
  aim: 'Fills the queue entries of its senders at all nodes, and makes one victim store more and more contributions if its memory is not bounded.',
  against: protocolNames,
  form(setting) {
    if (setting.protocol !== 'handel') return floodAmongBaselines(setting);
    const { victims, scheme } = setting;
    const { tree } = scheme;
    const random = setting.random('sets');
    const forgeries = new Forgeries(setting);
    /**
     * Returns an invalid contribution over the block. If the block has several ids, the contribution lacks one id
     * chosen at random.
     */
    const heavy = (block: number): Contribution => {
      const size = tree.size(block);
      return size > 1 ? forgeries.allBut(block, tree.start(block) + random.nextBelow(size)) : forgeries.full(block);
    };
    const join = (id: number, port: ByzantinePort): ProtocolNode => {
      const levels = honestPeersByLevel(setting, id);
      return new PeriodicAttacker(port, floodPeriodMs, (round) => {
        for (const [level, peers] of levels.entries()) {
          const to = peers[round];
          if (to !== undefined) port.send(to, level, heavy(tree.peerBlock(to, level)), noContribution, 0);
        }
        const victim = victims[victims.length >>> 1];
        if (victim === undefined || round >= floodRounds) return;
        const level = tree.levelBetween(id, victim);
        const contribution = heavy(tree.peerBlock(victim, level));
        for (let time = 0; time < 2; time++) port.send(victim, level, contribution, noContribution, 0);
      });
    };
    return { join };
  },
};

/** Sending period of a flooding member of San Fermín, ms. */
const sanFerminFloodMs = 4;

/**
 * Creates a coalition that sends as many invalid contributions as a peer can be made to verify. In San Fermín, a peer
 * stores one contribution per level and then verifies the next Byzantine node's contribution. Members therefore send to
 * all peers repeatedly for {@link floodRounds} periods. In the other protocols, a member precedes its first message to
 * a peer with one invalid contribution for every signer that it may name: itself in the complete graph, any node in
 * gossip.
 */
function floodAmongBaselines(setting: AttackSetting): Coalition {
  const forgeries = new Forgeries(setting);
  const { tree } = setting.scheme;
  if (setting.protocol === 'san-fermin')
    return {
      join: (id, port) => {
        const levels = honestPeersByLevel(setting, id);
        return new PeriodicAttacker(port, sanFerminFloodMs, (round) => {
          if (round >= floodRounds) return;
          for (const [level, peers] of levels.entries()) {
            const peer = peers[round % Math.max(1, peers.length)];
            if (peer !== undefined)
              port.send(peer, level, forgeries.full(tree.peerBlock(peer, level)), noContribution, 0);
          }
        });
      },
    };
  const invalidBefore = (id: number, aggregate: Contribution): readonly Contribution[] => {
    const block = setting.scheme.block(aggregate);
    if (setting.protocol === 'complete-graph' || tree.order(block) > 0) return [forgeries.full(block)];
    // The member's own contribution is sent last: a peer still verifies the contributions that were sent before the
    // detected invalid one.
    return Array.from({ length: tree.nodes }, (_, place) => forgeries.full(tree.leaf((id + 1 + place) % tree.nodes)));
  };
  return {
    join: (id, port) => setting.honest(id, new FloodingPort(port, (aggregate) => invalidBefore(id, aggregate))),
  };
}

/** A port that sends many messages before its node's first message to a peer. */
class FloodingPort extends AlteredPort {
  readonly #before: (aggregate: Contribution) => readonly Contribution[];
  readonly #flooded = new Set<number>();

  constructor(port: ByzantinePort, before: (aggregate: Contribution) => readonly Contribution[]) {
    super(port, (aggregate) => aggregate);
    this.#before = before;
  }

  override send(to: number, level: number, aggregate: Contribution, individual: Contribution, flags: number): void {
    if (!this.#flooded.has(to)) {
      this.#flooded.add(to);
      for (const first of this.#before(aggregate)) super.send(to, level, first, noContribution, flags);
    }
    super.send(to, level, aggregate, individual, flags);
  }
}

/**
 * Sends messages in the names of honest nodes with forged individual contributions (v1.03 section 2.3, which assumes
 * authenticated channels). Without authentication, a forged contribution replaces the genuine one, and its alleged
 * sender is blacklisted.
 */
export const spoof: Attack = {
  name: 'spoof',
  section: 'v1.03 2.3',
  aim: 'Makes honest nodes blacklist each other for contributions that they never made.',
  against: ['handel'],
  form(setting) {
    const { tree } = setting.scheme;
    const random = setting.random('names');
    const forgeries = new Forgeries(setting);
    return {
      join(id, port) {
        const levels = honestPeersByLevel(setting, id);
        const names = levels.flat();
        return new PeriodicAttacker(port, periodMs, (round) => {
          for (const peers of levels) {
            const to = peers[round % peers.length];
            if (to === undefined) continue;
            const from = names[random.nextBelow(names.length)]!;
            if (from === to) continue;
            const level = tree.levelBetween(from, to);
            const aggregate = forgeries.claimOf(tree.peerBlock(to, level), from);
            port.sendAs({ from, to, level, aggregate, individual: noContribution, flags: 0 });
          }
        });
      },
    };
  },
};

/** A well-formed message from which malformed ones are made. */
interface Specimen {
  readonly tree: Tree;
  readonly forgeries: Forgeries;
  readonly port: ByzantinePort;
  /** Sender. */
  readonly id: number;
  readonly level: number;
  /**
   * An invalid contribution over the level's block with the sender as its only signer. Changed bytes of this
   * contribution never form an honest node's contribution.
   */
  readonly contribution: Contribution;
  readonly bytes: Uint8Array;
}

/**
 * Sends bytes and messages that honest nodes reject, one for each rule (v1.03 section 2.3: a peer's input is hostile
 * until checked).
 */
export const malformed: Attack = {
  name: 'malformed',
  section: 'v1.03 2.3',
  aim: 'Sends malformed messages that no honest node sends, so that a node that does not check a length, a level or a set fails.',
  against: ['handel'],
  form(setting) {
    const { scheme } = setting;
    const { tree } = scheme;
    const forgeries = new Forgeries(setting);
    return {
      join(id, port) {
        const levels = honestPeersByLevel(setting, id);
        const specimens: Specimen[] = [];
        const specimenOn = (level: number): Specimen => {
          const contribution = forgeries.claimOf(tree.ownBlock(id, level), id);
          const bytes = encodeMessage(scheme, level, contribution, noContribution, 0);
          return { tree, forgeries, port, id, level, contribution, bytes };
        };
        return new PeriodicAttacker(port, periodMs, (round) => {
          for (let level = 1; level < levels.length; level++) {
            const peers = levels[level]!;
            const to = peers[round % peers.length];
            if (to === undefined) continue;
            specimens[level] ??= specimenOn(level);
            malformations[(round + level) % malformations.length]!(specimens[level]!, to);
          }
        });
      },
    };
  },
};

/** Offsets of the parts of an encoded message, bytes. */
const at = { version: 0, level: 1, flags: 2, form: 3, set: 4 } as const;

/** Sends the bytes with some of them changed. */
function sendChanged(
  { port, bytes }: Specimen,
  to: number,
  ...changes: readonly (readonly [at: number, value: number])[]
): void {
  const changed = bytes.slice();
  for (const [index, value] of changes) changed[index] = value;
  port.sendBytes(to, changed);
}

/** A long message with an unknown version. */
const tooLong = new Uint8Array(65_535).fill(0xff);

const malformations: readonly ((specimen: Specimen, to: number) => void)[] = [
  ({ port }, to) => port.sendBytes(to, new Uint8Array(0)),
  ({ port, bytes }, to) => port.sendBytes(to, bytes.subarray(0, bytes.length - 1)),
  ({ port, bytes }, to) => {
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    port.sendBytes(to, longer);
  },
  ({ port }, to) => port.sendBytes(to, tooLong),
  (specimen, to) => sendChanged(specimen, to, [at.version, 2]),
  (specimen, to) => sendChanged(specimen, to, [at.flags, 0x40]),
  // The flag announces an individual contribution that does not follow.
  (specimen, to) => sendChanged(specimen, to, [at.flags, 0x80]),
  (specimen, to) => sendChanged(specimen, to, [at.level, 0]),
  (specimen, to) => sendChanged(specimen, to, [at.level, 255]),
  // A level on which the two nodes are not peers, or an empty level. In a tree with one level, the message is well-formed.
  (specimen, to) => sendChanged(specimen, to, [at.level, (specimen.level % specimen.tree.levels) + 1]),
  (specimen, to) => sendChanged(specimen, to, [at.form, 7]),
  // An empty set, and a set with an id beyond the block's end, if the message form lists a set.
  (specimen, to) => sendChanged(specimen, to, [at.form, 1], [at.set, 0]),
  (specimen, to) => sendChanged(specimen, to, [at.form, 1], [at.set, 0xff]),
  // The same violations as above, as contribution handles, for runtimes that decode messages elsewhere.
  ({ port, contribution }, to) => port.send(to, 0, contribution, noContribution, 0),
  ({ port, contribution }, to) => port.send(to, 31, contribution, noContribution, 0),
  ({ port, level, contribution }, to) => port.send(to, level, contribution, noContribution, 32),
  ({ port, level }, to) => port.send(to, level, noContribution, noContribution, 0),
  // These cases send two aggregates over a block that is not the level's block, and an individual contribution over a
  // block that is not the sender's leaf. At a level of the first tier, the level's block is the sender's leaf: the
  // first and the last case are then well-formed but invalid.
  ({ port, level, forgeries, tree, id }, to) => port.send(to, level, forgeries.full(tree.leaf(id)), noContribution, 0),
  ({ port, level, forgeries }, to) => port.send(to, level, forgeries.full(1), noContribution, 0),
  ({ port, level, contribution }, to) => port.send(to, level, contribution, contribution, 0),
];
