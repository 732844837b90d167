/**
 * Carries short texts between members by name, out of band: what two ends need before they have a link of their own.
 * Nothing that arrives this way is to be believed for who brought it.
 */
export interface PeerSignals {
  /** Sends a text to a member; it may be lost, and whoever carries it may read or change it. */
  send(to: string, text: string): void;

  /** Gives all texts from now on to `listener`, with who is said to have sent them. */
  onSignal(listener: (from: string, text: string) => void): void;
}
