/**
 * Who is listened to first, and so who is contacted first (v1.03 section 3.3). Both follow from public data, the registry's size and
 * a seed, so that a sender knows where it stands with each receiver without a word being exchanged.
 */
export interface VerificationPriorities {
  /**
   * VP_receiver(sender): the sender's rank with the receiver, in [0, N), 0 being verified first. For each receiver it is a
   * permutation of the senders.
   */
  rank(receiver: number, sender: number): number;

  /**
   * The contribution prioritisation vector, a place at a time: of the peers in [start, end), the one that gives `sender` its
   * `place`-th best rank.
   *
   * @param place 0 to end - start - 1.
   */
  contact(sender: number, start: number, end: number, place: number): number;
}
