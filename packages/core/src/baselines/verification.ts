import { expected } from '../errors.ts';
import { type Contribution, noContribution, type Port } from '../protocol.ts';

/** A node's verification under way, of which there is one at most: isolated verification (v1.03 section 6). */
export class Verification {
  readonly #port: Port;
  #ticket = -1;
  #underWay = false;
  /** What is being verified, or was last, and who sent it. */
  contribution: Contribution = noContribution;
  sender = -1;

  constructor(port: Port) {
    this.#port = port;
  }

  get underWay(): boolean {
    return this.#underWay;
  }

  /** @param contribution retained by the caller until {@link end}. */
  begin(level: number, sender: number, contribution: Contribution): void {
    this.#underWay = true;
    this.contribution = contribution;
    this.sender = sender;
    this.#ticket = this.#port.verify(contribution, level, sender);
  }

  /** @throws RangeError for a ticket that is not the one in flight: a runtime's mistake. */
  end(ticket: number): void {
    if (!this.#underWay || ticket !== this.#ticket) {
      throw new RangeError(expected('ticket', `the one in flight (${this.#ticket})`, ticket));
    }
    this.#underWay = false;
  }
}
