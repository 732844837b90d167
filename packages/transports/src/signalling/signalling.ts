import type { SignallingRefusal } from './messages.ts';

/**
 * Carries short texts between members by name, out of band, before two ends have a link. The carrier is not trusted, so
 * the texts must prove themselves.
 */
export interface PeerSignals {
  /** Sends a text to a member. The text may be lost, and the carrier may read or change it. */
  send(to: string, text: string): void;

  /** Passes all texts from now on, with their claimed senders, to `listener`. */
  onSignal(listener: (from: string, text: string) => void): void;
}

/** Events of a joined room, in order. */
export type SignallingEvent =
  /**
   * A member arrived. Members that were already there come first, in order of arrival, then this member. The card is
   * the member's own.
   */
  | { readonly type: 'came'; readonly member: string; readonly card: string }
  | { readonly type: 'went'; readonly member: string }
  | { readonly type: 'signal'; readonly from: string; readonly text: string }
  | { readonly type: 'announcement'; readonly from: string; readonly text: string }
  /** A text was not delivered. The code is stable; the line is for people. */
  | { readonly type: 'refused'; readonly code: SignallingRefusal; readonly line: string }
  /** No text is delivered from now on, or until the event `back`. */
  | { readonly type: 'lost'; readonly line: string }
  /** The room was joined again. All its members follow, from the first, as after a first join. */
  | { readonly type: 'back' };

/**
 * A room in which members find each other. The operator of the room is trusted only to deliver texts, and can lose,
 * delay and invent them. Texts that have effects are therefore sealed between two members, and all others are only
 * displayed.
 */
export interface Signalling {
  /** Sends a text to one member. */
  signal(to: string, text: string): void;

  /** Sends a text to all other members. */
  announce(text: string): void;

  /** Passes all events, including those before this call, to `listener`. */
  onEvent(listener: (event: SignallingEvent) => void): void;

  /** Leaves the room. */
  close(): void;
}

/** Stores the events until there is a listener. */
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
