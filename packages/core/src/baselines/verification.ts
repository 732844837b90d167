import { expected } from '../errors.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';

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

  /** Begins a verification. @param contribution retained by the caller until the verification ends. */
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
