import { expected } from '../errors.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';

/**
 * First-in, first-out queue of integers in one array. The array doubles when it is full. Pending contributions thus
 * need no individual objects.
 */
export class Fifo {
  #ring = new Int32Array(8);
  #first = 0;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): void {
    if (this.#length === this.#ring.length) this.#grow();
    this.#ring[(this.#first + this.#length) & (this.#ring.length - 1)] = value;
    this.#length++;
  }

  /** Removes and returns the oldest integer. The queue must not be empty. */
  shift(): number {
    const value = this.#ring[this.#first]!;
    this.#first = (this.#first + 1) & (this.#ring.length - 1);
    this.#length--;
    return value;
  }

  /** Returns the integer `index` positions behind the oldest one. */
  at(index: number): number {
    return this.#ring[(this.#first + index) & (this.#ring.length - 1)]!;
  }

  #grow(): void {
    const larger = new Int32Array(2 * this.#ring.length);
    for (let index = 0; index < this.#length; index++) larger[index] = this.at(index);
    this.#ring = larger;
    this.#first = 0;
  }
}

/**
 * The verification in progress. A node verifies at most one contribution at a time: isolated verification (v1.03
 * section 6).
 */
export class Verification {
  readonly #port: Port;
  #ticket = -1;
  #underWay = false;
  /** Contribution being verified, or the last verified contribution. */
  contribution: Contribution = noContribution;
  /** Sender of `contribution`. */
  sender = -1;

  constructor(port: Port) {
    this.#port = port;
  }

  get underWay(): boolean {
    return this.#underWay;
  }

  /** Begins a verification. @param contribution retained by the caller until {@link end}. */
  begin(level: number, sender: number, contribution: Contribution): void {
    this.#underWay = true;
    this.contribution = contribution;
    this.sender = sender;
    this.#ticket = this.#port.verify(contribution, level, sender);
  }

  /**
   * Ends the verification. @throws RangeError for a ticket other than the current one, which indicates an error in the
   * runtime.
   */
  end(ticket: number): void {
    if (!this.#underWay || ticket !== this.#ticket) {
      throw new RangeError(expected('ticket', `the ticket of the verification in progress (${this.#ticket})`, ticket));
    }
    this.#underWay = false;
  }
}
