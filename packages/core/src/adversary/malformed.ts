import { type Contribution, noContribution } from '../protocol.ts';
import { encodeMessage } from '../wire/message.ts';
import type { Attack, AttackSetting, ByzantinePort } from './attack.ts';
import { forgeOf } from './forgery.ts';
import { honestPeersByLevel, PeriodicAttacker } from './periodicAttacker.ts';

/** As often as an honest node disseminates by default. */
const periodMs = 20;

/** A well-formed message, for making others of. */
interface Specimen {
  readonly setting: AttackSetting;
  readonly port: ByzantinePort;
  readonly id: number;
  readonly to: number;
  readonly level: number;
  /**
   * Over the level's block, with only the sender as signer, and invalid: whatever its bytes turn into, it is no honest
   * node's contribution.
   */
  readonly contribution: Contribution;
  readonly bytes: Uint8Array;
}

/**
 * Bytes and messages that honest nodes refuse, by every rule that there is (v1.03 section 2.3: what a peer sends is
 * hostile until checked).
 */
export const malformed: Attack = {
  name: 'malformed',
  section: 'v1.03 2.3',
  aim: 'Sends what no honest node sends, so that whoever trusts a length, a level or a set fails at it.',
  against: ['handel'],
  form: (setting) => ({
    join(id, port) {
      const levels = honestPeersByLevel(setting, id);
      return new PeriodicAttacker(port, periodMs, (round) => {
        for (const [level, peers] of levels.entries()) {
          const to = peers[round % peers.length];
          if (to === undefined) continue;
          const contribution = forgeOf(setting, setting.scheme.tree.ownBlock(id, level), id);
          const bytes = encodeMessage(setting.scheme, level, contribution, noContribution, 0);
          malformations[(round + level) % malformations.length]!({
            ...{ setting, port, id, to, level, contribution, bytes },
          });
          setting.scheme.release(contribution);
        }
      });
    },
  }),
};

/** Where the parts of a message begin (see wire/message.ts). */
const at = { version: 0, level: 1, flags: 2, form: 3, set: 4 } as const;

/** The bytes with some of them changed. */
function sendChanged({ port, to, bytes }: Specimen, changes: Readonly<Record<number, number>>): void {
  const changed = bytes.slice();
  for (const [index, value] of Object.entries(changes)) changed[Number(index)] = value;
  port.sendBytes(to, changed);
}

const malformations: readonly ((specimen: Specimen) => void)[] = [
  ({ port, to }) => port.sendBytes(to, new Uint8Array(0)),
  ({ port, to, bytes }) => port.sendBytes(to, bytes.subarray(0, bytes.length - 1)),
  ({ port, to, bytes }) => port.sendBytes(to, Uint8Array.of(...bytes, 0)),
  ({ port, to }) => port.sendBytes(to, new Uint8Array(65_535).fill(0xff)),
  (specimen) => sendChanged(specimen, { [at.version]: 2 }),
  (specimen) => sendChanged(specimen, { [at.flags]: 0x40 }),
  // It says that an individual contribution follows, and none does.
  (specimen) => sendChanged(specimen, { [at.flags]: 0x80 }),
  (specimen) => sendChanged(specimen, { [at.level]: 0 }),
  (specimen) => sendChanged(specimen, { [at.level]: 255 }),
  // A level on which the two are not peers, or which is empty.
  (specimen) => sendChanged(specimen, { [at.level]: (specimen.level % specimen.setting.scheme.tree.levels) + 1 }),
  (specimen) => sendChanged(specimen, { [at.form]: 7 }),
  // A set of nobody, and one of somebody beyond the block's end, where the form lists a set at all.
  (specimen) => sendChanged(specimen, { [at.form]: 1, [at.set]: 0 }),
  (specimen) => sendChanged(specimen, { [at.form]: 1, [at.set]: 0xff }),
  // The same by handles, for runtimes that decode elsewhere.
  ({ port, to, contribution }) => port.send(to, 0, contribution, noContribution, 0),
  ({ port, to, contribution }) => port.send(to, 31, contribution, noContribution, 0),
  ({ port, to, level, contribution }) => port.send(to, level, contribution, noContribution, 32),
  ({ port, to, level }) => port.send(to, level, noContribution, noContribution, 0),
  ({ port, to, level, setting, id }) => sendOver(setting, port, to, level, setting.scheme.tree.leaf(id)),
  ({ port, to, level, setting }) => sendOver(setting, port, to, level, 1),
  ({ port, to, level, contribution }) => port.send(to, level, contribution, contribution, 0),
];

/** A contribution over another block than the level's. */
function sendOver({ scheme }: AttackSetting, port: ByzantinePort, to: number, level: number, block: number): void {
  const contribution = scheme.forge(block, undefined);
  port.send(to, level, contribution, noContribution, 0);
  scheme.release(contribution);
}
