import { ed25519 } from '@noble/curves/ed25519.js';
import type { ListedEntry } from '@tutti/certificates';
import { identityStatement } from '@tutti/core';
import { concat } from '@tutti/core/input';
import { splitMessage } from '@tutti/transports';
import { insecureSecretKey } from '@tutti/wasm-bls';
import { SetupMessage } from '../src/setup.ts';
import { anonymousEntry, bls, type setupOf } from './setup.ts';

/**
 * First index of the anonymous keys of hostile members. The anonymous key of an honest member has the member's own
 * index.
 */
const ownIndex = 1000;
const maxRepeats = 50;

export interface HostileRegistrations {
  /** Registration that an honest member would send in the hostile member's place. */
  readonly own: Uint8Array;
  /** Further registrations that the hostile member sends, each to some inboxes. */
  readonly others: readonly Uint8Array[];
  /**
   * Whether the member's own registration will be excluded, because the member, or another member with the same keys,
   * registers again.
   */
  readonly isExcluded: boolean;
}

type Setup = ReturnType<typeof setupOf>;
type Draw = (bound: number) => number;

/** Entries that a hostile member creates from its own entry and a victim's entry. */
const entries: readonly ((own: ListedEntry, index: number, victim: ListedEntry) => ListedEntry)[] = [
  (own, _, { endpoint }) => ({ ...own, endpoint }),
  (own, index, { networkKey }) => withNetworkKey(own, index, networkKey),
  (own, index, { networkKey }) => withNetworkKey(own, index, networkKey.with(31, networkKey[31]! | 0x80)),
  (own, index) => withNetworkKey(own, index, own.networkKey.with(31, own.networkKey[31]! | 0x80)),
  (own, index) => withNetworkKey(own, index, shifted(index)),
  (own, index) => withNetworkKey(own, index, new Uint8Array(32)),
  (own, _, { publicKey, proofOfPossession }) => ({ ...own, publicKey, proofOfPossession }),
  (own) => ({ ...own, transport: 'tcp' }),
  (own) => ({ ...own, endpoint: { host: '::1', port: own.endpoint.port } }),
];

/**
 * Draws registrations for the hostile members of a set-up: with another member's address, network key or BLS key, with
 * non-canonical encodings of network keys, with the keys of another hostile member, repeated registrations, and
 * malformed ones.
 *
 * @param members hostile members of the set-up. @param victims entries of the honest members.
 */
export function hostileRegistrations(
  setup: Setup,
  members: readonly number[],
  victims: readonly ListedEntry[],
  draw: Draw,
): HostileRegistrations[] {
  const isShared = members.length > 1 && draw(3) === 0;
  return members.map((member) => {
    const index = ownIndex + (isShared ? 0 : member);
    const victim = () => victims[draw(victims.length)]!;
    // Each hostile member's own registration is valid. If a member's own registration were invalid, all other members
    // would wait for a valid one until the time limit.
    const entry = draw(2) === 0 ? anonymousEntry(index) : { ...anonymousEntry(index), endpoint: victim().endpoint };
    const own = setup.register(member, index, entry);
    const others: Uint8Array[] = [];
    const isRepeated = draw(2) === 0;
    for (let copy = isRepeated ? 1 + draw(maxRepeats) : 0; copy > 0; copy--)
      others.push(setup.register(member, index, entry, 1 + copy));
    for (let i = draw(6); i > 0; i--) {
      const made = entries[draw(entries.length)]!(anonymousEntry(index), index, victim());
      const bytes = setup.register(member, index, made, 100 + i);
      const at = draw(4 * bytes.length);
      if (at < bytes.length) bytes[at]! ^= 1 << draw(8);
      others.push(draw(8) === 0 ? bytes.subarray(draw(bytes.length)) : bytes);
    }
    return { own, others, isExcluded: isShared || isRepeated };
  });
}

/** Returns an entry with a given network key, bound to the BLS key in the same way as by the owner. */
function withNetworkKey(own: ListedEntry, index: number, networkKey: Uint8Array): ListedEntry {
  const statement = identityStatement(own.publicKey, networkKey);
  return { ...own, networkKey, networkKeyProof: bls.sign(insecureSecretKey(bls, 1, index), statement) };
}

/** Returns a key with an added low-order component, which X25519 ignores. */
function shifted(index: number): Uint8Array {
  const { Point } = ed25519;
  const small = Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
  return ed25519.utils.toMontgomery(Point.BASE.multiply(BigInt(index)).add(small).toBytes());
}

let messages = 0;

/** Splits a registration into packets from an unknown sender to an inbox, see `SetupRuntime`. */
export function anonymousPackets(session: Uint8Array, registration: Uint8Array, maxPacketBytes: number): Uint8Array[] {
  const head = concat(Uint8Array.of(0xa1), session.subarray(0, 4));
  const message = concat(Uint8Array.of(SetupMessage.register, 0), registration);
  return splitMessage(message, maxPacketBytes - head.length, messages++).map((piece) => concat(head, piece));
}
