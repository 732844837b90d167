/**
 * Returns the number of a room's places that one address may take: a share of the places not taken by other addresses.
 * One address therefore never takes all places, and each further address gets the same share of the rest.
 *
 * @param places number of places of the room
 * @param others number of members of other addresses
 * @param share share in (0, 1]; 1 leaves nothing for others
 * @returns at least 1
 */
export function placesOfAddress(places: number, others: number, share: number): number {
  return Math.max(1, Math.floor(share * (places - others)));
}

/** Pattern of an invitation: 128 random bits in base64url, which cannot be guessed. */
const invitationPattern = /^[A-Za-z0-9_-]{22}$/;

/**
 * Returns whether a text is an invitation, the secret of one place in a room: 22 letters, digits, hyphens and
 * underscores.
 */
export function isInvitation(text: unknown): text is string {
  return typeof text === 'string' && invitationPattern.test(text);
}

/**
 * Returns the rooms by invitation, each with its invitations.
 *
 * @throws RangeError for a room with more invitations than places, without invitations, with an invalid one, or with
 * two equal ones.
 */
export function invitedRooms(
  invitations: Readonly<Record<string, readonly string[]>>,
  maxMembers: number,
): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Map<string, ReadonlySet<string>>();
  for (const [room, given] of Object.entries(invitations)) {
    const different = new Set(given);
    if (given.length < 1 || given.length > maxMembers || different.size < given.length)
      throw new RangeError(
        `invitations: expected 1 to ${maxMembers} different invitations per room, got ${given.length}`,
      );
    if (!given.every(isInvitation))
      throw new RangeError('invitations: expected 22 letters, digits, hyphens or underscores in each');
    rooms.set(room, different);
  }
  return rooms;
}
