import type { SignallingRefusal } from './messages.ts';

/**
 * Carries short texts between named members, out of band, before two ends have a link. The carrier is untrusted, so
 * each text must prove its own authenticity.
 */
export interface PeerSignals {
  /** Sends a text to a member. The text may be lost, and the carrier may read or alter it. */
  send(to: string, text: string): void;

  /** Passes all texts from now on, with their claimed senders, to `listener`. */
  onSignal(listener: (from: string, text: string) => void): void;
}

/** Events of a joined room, in order. */
export type SignallingEvent =
  /**
   * A member arrived. Members that were present before come first, in order of arrival, followed by this member. The
   * arriving member wrote the card itself.
   */
  | { readonly type: 'came'; readonly member: string; readonly card: string }
  | { readonly type: 'went'; readonly member: string }
  | { readonly type: 'signal'; readonly from: string; readonly text: string }
  | { readonly type: 'announcement'; readonly from: string; readonly text: string }
  /** A text was not delivered. The code is stable; the line is for people. */
  | { readonly type: 'refused'; readonly code: SignallingRefusal; readonly line: string }
  /** No further text is delivered, or none until the event `back`. */
  | { readonly type: 'lost'; readonly line: string }
  /** The room was joined again. All members of the room are then reported from the beginning, as after a first join. */
  | { readonly type: 'back' };

/**
 * A room in which members find each other. The room's operator is trusted only to deliver texts, and can lose, delay or
 * invent them. Texts that have effects are therefore sealed between two members, and all other texts are only
 * displayed.
 */
export interface Signalling {
  /** Sends a text to one member. */
  signal(to: string, text: string): void;

  /** Sends a text to all other members. */
  announce(text: string): void;

  /** Passes all events, including those that occurred before this call, to `listener`. */
  onEvent(listener: (event: SignallingEvent) => void): void;

  /** Leaves the room. */
  close(): void;
}

/** Stores events until a listener is set. */
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
