import { type Contribution, encodeMessage, noContribution } from '@tutti/core';
import type { Attack, AttackSetting, ByzantinePort } from './attack.ts';
import { Forgeries } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/** Period, ms: an honest node's default dissemination period. */
const periodMs = 20;

/** A well-formed message from which malformed ones are made. */
interface Specimen {
  readonly setting: AttackSetting;
  readonly forgeries: Forgeries;
  readonly port: ByzantinePort;
  readonly id: number;
  readonly level: number;
  /**
   * An invalid contribution over the level's block with the sender as its only signer. Whatever its bytes become, they
   * are no honest node's contribution.
   */
  readonly contribution: Contribution;
  readonly bytes: Uint8Array;
}

/**
 * Sends bytes and messages that honest nodes reject, one for every rule (v1.03 section 2.3: a peer's input is hostile
 * until checked).
 */
export const malformed: Attack = {
  name: 'malformed',
  section: 'v1.03 2.3',
  aim: 'Sends what no honest node sends, so that a node that trusts a length, a level or a set fails.',
  against: ['handel'],
  form(setting) {
    const forgeries = new Forgeries(setting);
    return {
      join(id, port) {
        const levels = honestPeersByLevel(setting, id);
        const specimens: Specimen[] = [];
        return new PeriodicAttacker(port, periodMs, (round) => {
          for (let level = 1; level < levels.length; level++) {
            const peers = levels[level]!;
            const to = peers[round % peers.length];
            if (to === undefined) continue;
            specimens[level] ??= specimen(setting, forgeries, port, id, level);
            malformations[(round + level) % malformations.length]!(specimens[level]!, to);
          }
        });
      },
    };
  },
};

function specimen(
  setting: AttackSetting,
  forgeries: Forgeries,
  port: ByzantinePort,
  id: number,
  level: number,
): Specimen {
  const { scheme } = setting;
  const contribution = forgeries.of(scheme.tree.ownBlock(id, level), id);
  const bytes = encodeMessage(scheme, level, contribution, noContribution, 0);
  return { setting, forgeries, port, id, level, contribution, bytes };
}

/** Offsets of the parts of a message (see wire/message.ts). */
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

/** Bytes longer than any message. */
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
  // A level on which the two nodes are not peers, or an empty level.
  (specimen, to) => sendChanged(specimen, to, [at.level, (specimen.level % specimen.setting.scheme.tree.levels) + 1]),
  (specimen, to) => sendChanged(specimen, to, [at.form, 7]),
  // An empty set, and a set with an id beyond the block's end, if the form lists a set.
  (specimen, to) => sendChanged(specimen, to, [at.form, 1], [at.set, 0]),
  (specimen, to) => sendChanged(specimen, to, [at.form, 1], [at.set, 0xff]),
  // The same violations as contribution handles, for runtimes that decode messages elsewhere.
  ({ port, contribution }, to) => port.send(to, 0, contribution, noContribution, 0),
  ({ port, contribution }, to) => port.send(to, 31, contribution, noContribution, 0),
  ({ port, level, contribution }, to) => port.send(to, level, contribution, noContribution, 32),
  ({ port, level }, to) => port.send(to, level, noContribution, noContribution, 0),
  // Contributions over a block that is not the level's.
  ({ port, level, forgeries, setting, id }, to) =>
    port.send(to, level, forgeries.full(setting.scheme.tree.leaf(id)), noContribution, 0),
  ({ port, level, forgeries }, to) => port.send(to, level, forgeries.full(1), noContribution, 0),
  ({ port, level, contribution }, to) => port.send(to, level, contribution, contribution, 0),
];
