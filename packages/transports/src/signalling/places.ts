/**
 * How many of a room's places one address may take: this share of those that the others leave. So one alone never takes
 * all, and each further one takes the same share of what is left.
 *
 * @param places of the room
 * @param others members of other addresses
 * @param share over 0, at most 1, which leaves nothing for others
 * @returns at least 1
 */
export function placesOfAddress(places: number, others: number, share: number): number {
  return Math.max(1, Math.floor(share * (places - others)));
}

/** 128 random bits in base64url: what nobody guesses. */
const invitationPattern = /^[A-Za-z0-9_-]{22}$/;

/** A secret of a room that takes one member for each: 22 letters, digits, hyphens and underscores. */
export function isInvitation(text: unknown): text is string {
  return typeof text === 'string' && invitationPattern.test(text);
}

/**
 * The rooms that are by invitation, each with what was given out for it.
 *
 * @throws RangeError for more invitations than a room has places, for none, for one that is no invitation, and for two
 *   that are one.
 */
export function invitedRooms(
  invitations: Readonly<Record<string, readonly string[]>>,
  maxMembers: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Map<string, ReadonlySet<string>>();
  for (const [room, given] of Object.entries(invitations)) {
    const different = new Set(given);
    if (given.length < 1 || given.length > maxMembers || different.size < given.length)
      throw new RangeError(`invitations: expected 1 to ${maxMembers} different ones a room, got ${given.length}`);
    if (!given.every(isInvitation))
      throw new RangeError('invitations: expected 22 letters, digits, hyphens and underscores each');
    rooms.set(room, different);
  }
  return rooms;
}
