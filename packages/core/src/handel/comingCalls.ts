/** Calls that nodes of one memory are about to get: how many, and a column for each thing that is known of them. */
export class ComingCalls {
  count = 0;
  /** Where the levels of the node that is called lie; -1 where nobody is. */
  readonly addresses: Int32Array;
  /** The level of a message; 0 for any other call. */
  readonly levels: Int32Array;
  /** Who sent the message. */
  readonly senders: Int32Array;

  /** @param most how many calls there can be. */
  constructor(most: number) {
    this.addresses = new Int32Array(most);
    this.levels = new Int32Array(most);
    this.senders = new Int32Array(most);
  }
}
