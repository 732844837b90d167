import type { Tree } from './tree.ts';

/**
 * Whose contributions are verified first, and so who is contacted first (v1.03 section 3.3). Both follow from public
 * data, the registry's size and a seed, so a sender knows its rank with each receiver without any message.
 */
export interface VerificationPriorities {
  /** Ranks are integers in [0, span); a rank grows by it after a verification (v1.0 section 3.6). */
  readonly span: number;

  /** The tree whose peers are ranked, where one is fixed: priorities of another tree than the node's are refused. */
  readonly tree?: Pick<Tree, 'nodes' | 'form'> | undefined;

  /**
   * VP_receiver(sender): the sender's rank with the receiver, 0 being verified first. A receiver ranks no two senders
   * alike.
   */
  rank(receiver: number, sender: number): number;

  /**
   * Places of the contribution prioritisation vector over a level's peer set: one per peer, and possibly some empty
   * ones.
   */
  places(block: number): number;

  /**
   * The contribution prioritisation vector, a place at a time: a level's peers from the one that gives `sender` its
   * best rank on.
   *
   * @param block the level's peer set, a block of the tree that has at least one id.
   * @param place 0 to places(block) - 1.
   * @returns -1 for an empty place.
   */
  contact(sender: number, block: number, place: number): number;
}
