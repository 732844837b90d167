import type { SignallingRefusal } from './messages.ts';

/**
 * Carries short texts between members by name, out of band: what two ends need before they have a link of their own.
 * Nothing that arrives this way is trusted because of who brought it.
 */
export interface PeerSignals {
  /** Sends a text to a member; it may be lost, and whoever carries it may read or change it. */
  send(to: string, text: string): void;

  /** Gives all texts from now on to `listener`, with who is said to have sent them. */
  onSignal(listener: (from: string, text: string) => void): void;
}

/** What one is told of a room that one has joined, in the order in which it happened. */
export type SignallingEvent =
  /**
   * Of those who were there already too, the longest there first, and then of oneself. The card is what the member
   * wishes to be known by.
   */
  | { readonly type: 'came'; readonly member: string; readonly card: string }
  | { readonly type: 'went'; readonly member: string }
  | { readonly type: 'signal'; readonly from: string; readonly text: string }
  | { readonly type: 'announcement'; readonly from: string; readonly text: string }
  /** What was sent was not carried; the code is stable, the line for people. */
  | { readonly type: 'refused'; readonly code: SignallingRefusal; readonly line: string }
  /** Nothing is carried from here on, or until it is `back`. */
  | { readonly type: 'lost'; readonly line: string }
  /** The room was joined again: who is in it comes next, from the first, as if nobody had been there. */
  | { readonly type: 'back' };

/**
 * A room in which members find each other. Whoever keeps it is trusted for nothing but carrying: it can lose, delay and
 * invent, so that what counts is sealed between two members, and the rest is only shown.
 */
export interface Signalling {
  /** Sends a text to one member. */
  signal(to: string, text: string): void;

  /** Sends a text to all the others. */
  announce(text: string): void;

  /** Gives all events, those before this call too, to `listener`. */
  onEvent(listener: (event: SignallingEvent) => void): void;

  /** Leaves the room. */
  close(): void;
}

/** Keeps the events until there is a listener. */
export class SignallingEvents {
  #listener: ((event: SignallingEvent) => void) | undefined;
  #early: SignallingEvent[] = [];

  emit(event: SignallingEvent): void {
    if (this.#listener === undefined) this.#early.push(event);
    else this.#listener(event);
  }

  listen(listener: (event: SignallingEvent) => void): void {
    this.#listener = listener;
    for (const event of this.#early.splice(0)) listener(event);
  }
}
