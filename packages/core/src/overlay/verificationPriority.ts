/**
 * Who is listened to first, and so who is contacted first (v1.03 section 3.3). Both follow from public data, the registry's size and
 * a seed, so that a sender knows where it stands with each receiver without a word being exchanged.
 */
export interface VerificationPriorities {
  /** Ranks are integers in [0, span); a rank grows by it after a verification (v1.0 section 3.6). */
  readonly span: number;

  /** VP_receiver(sender): the sender's rank with the receiver, 0 being verified first. A receiver ranks no two senders alike. */
  rank(receiver: number, sender: number): number;

  /** Places of the contribution prioritisation vector over a peer set of `size`: `size`, or some more, which are empty. */
  places(size: number): number;

  /**
   * The contribution prioritisation vector, a place at a time: the peers in [start, end) from the one that gives `sender` its best rank
   * on.
   *
   * @param start where a level's peer set begins.
   * @param place 0 to places(end - start) - 1.
   * @returns -1 for an empty place.
   */
  contact(sender: number, start: number, end: number, place: number): number;
}
