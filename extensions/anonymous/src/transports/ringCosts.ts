import { linkable, type RingScheme, traceable } from '../ring.ts';
import { registrationOverheadBytes } from './registration.ts';

/**
 * Costs of a set-up with rings of a given size, and how well these rings hide a member. All costs are computed, not
 * measured.
 */
export interface RingCosts {
  /** Requested minimum number of members per ring. */
  readonly size: number;
  readonly rings: number;
  /** Maximum length of a registration with an IPv4 address, bytes. */
  readonly linkableBytes: number;
  readonly traceableBytes: number;
  /** Number of group multiplications that a member needs to verify all registrations. */
  readonly linkableMultiplications: number;
  readonly traceableMultiplications: number;
  /**
   * Average number of members among which a signer is hidden, including the signer, if an observer knows the keys of
   * some members.
   */
  readonly hiddenAmong: number;
  /** Probability that the keys of all other members of a signer's ring are known, for a ring of the minimum size. */
  readonly exposedChance: number;
}

/** Maximum length of an IPv4 address as text, bytes. */
const hostBytes = 15;

/**
 * Returns the costs of rings of a given size in a set-up with a given number of members, and how well these rings hide
 * a member.
 *
 * @param size minimum number of members of a ring.
 * @param known share of the other members that reveal their keys to an observer, [0, 1].
 */
export function ringCosts(members: number, size: number, known: number): RingCosts {
  const rings = Math.max(1, Math.floor(members / size));
  const smallest = Math.floor(members / rings);
  // The members that do not fill all rings equally make one ring each larger by one.
  const larger = members % rings;
  const squares = larger * (smallest + 1) ** 2 + (rings - larger) * smallest ** 2;
  const bytes = (scheme: RingScheme) =>
    registrationOverheadBytes + hostBytes + scheme.signatureBytes(Math.ceil(members / rings));
  const knownMembers = Math.floor(known * (members - 1));
  let exposed = 1;
  // In the smallest ring, the other members are drawn one after another from all members except the signer.
  for (let i = 0; i < smallest - 1; i++) exposed *= Math.max(0, knownMembers - i) / (members - 1 - i);
  return {
    size,
    rings,
    linkableBytes: bytes(linkable),
    traceableBytes: bytes(traceable),
    linkableMultiplications: linkable.multiplicationsPerMember * squares,
    traceableMultiplications: traceable.multiplicationsPerMember * squares,
    hiddenAmong: members === 1 ? 1 : 1 + (squares / members - 1) * (1 - knownMembers / (members - 1)),
    exposedChance: exposed,
  };
}

/** Returns the ring sizes 4, 8, 16 and so on that are below the number of members, followed by this number. */
export function ringSizes(members: number): number[] {
  const sizes: number[] = [];
  for (let size = 4; size < members; size *= 2) sizes.push(size);
  return [...sizes, members];
}
