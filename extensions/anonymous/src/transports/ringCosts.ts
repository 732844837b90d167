import { requireMethods, requireObject } from '@tutti/core/input';
import { registrationOverheadBytes } from './registration.ts';

/** A kind of ring signature, by what it costs. */
export interface RingSignatureKind {
  /** Bytes of a signature of a ring of this many members. */
  signatureBytes(members: number): number;
  /** Multiplications in the group by which a signature is verified, a member of the ring. */
  readonly multiplicationsPerMember: number;
}

/** Both kinds, whose implementation is handed in. */
export type RingSignatureKinds = Readonly<Record<'linkable' | 'traceable', RingSignatureKind>>;

/** What rings of a size cost a set-up, and how well they hide. All of it is counted; nothing is measured. */
export interface RingCosts {
  /** Members asked for, a ring. */
  readonly size: number;
  readonly rings: number;
  readonly linkableBytes: number;
  readonly traceableBytes: number;
  /** Group multiplications that a member makes to verify everybody's registration. */
  readonly linkableMultiplications: number;
  readonly traceableMultiplications: number;
  /**
   * Members of the ring that a signer is hidden among on average, itself included, when some are known to whoever asks.
   */
  readonly hiddenAmong: number;
  /** That all others of its ring are known. */
  readonly exposedChance: number;
}

/** An IPv4 address, written out. */
const hostBytes = 15;

/**
 * What rings of a size cost a set-up of this many members, and how well they hide.
 *
 * @param size members a ring has at least. @param known share of the other members who tell whoever asks which keys are
 *   theirs, [0, 1].
 */
export function ringCosts(members: number, size: number, known: number, kinds: RingSignatureKinds): RingCosts {
  requireObject('kinds', kinds);
  for (const kind of ['linkable', 'traceable'] as const)
    requireMethods(`kinds.${kind}`, kinds[kind], ['signatureBytes']);
  const rings = Math.max(1, Math.floor(members / size));
  const ring = members / rings;
  const bytes = (kind: RingSignatureKind) =>
    registrationOverheadBytes + hostBytes + kind.signatureBytes(Math.ceil(ring));
  const told = Math.floor(known * (members - 1));
  let exposed = 1;
  // The smallest ring: drawing its others, one after another, from all but the signer.
  for (let i = 0; i < Math.floor(ring) - 1; i++) exposed *= Math.max(0, told - i) / (members - 1 - i);
  return {
    size,
    rings,
    linkableBytes: bytes(kinds.linkable),
    traceableBytes: bytes(kinds.traceable),
    linkableMultiplications: kinds.linkable.multiplicationsPerMember * ring * members,
    traceableMultiplications: kinds.traceable.multiplicationsPerMember * ring * members,
    hiddenAmong: members === 1 ? 1 : 1 + (ring - 1) * (1 - told / (members - 1)),
    exposedChance: exposed,
  };
}

/** 4, 8, 16 and so on, and all members. */
export function ringSizes(members: number): number[] {
  const sizes: number[] = [];
  for (let size = 4; size < members; size *= 2) sizes.push(size);
  return [...sizes, members];
}
