import type { RaceProtocol } from '@tutti/lab';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { count } from '../formatNumber.ts';
import type { RaceOutcome } from './raceFile.ts';
import { raceTitles, raceTitleWithin, seconds } from './raceText.ts';

/** Protocols to guess from; the fifth is explained later. */
const named: readonly RaceProtocol[] = ['handel', 'san-fermin', 'complete-graph', 'gossip'];

/** Guess of the user before the race: a name, or none. */
export type Guess = RaceProtocol | 'none';

/** The question before the race, and the line at its end, in one corner of the stage. */
export class RaceQuestion {
  readonly #host: HTMLElement;
  readonly #answered: () => void;
  #guess: Guess | undefined;

  constructor(host: HTMLElement, answered: () => void) {
    this.#host = host;
    this.#answered = answered;
  }

  /** True if the race waits for an answer. */
  get waits(): boolean {
    return this.#guess === undefined;
  }

  /** Called when the user continues without an answer, and so does not want to be asked. */
  skip(): void {
    this.#guess ??= 'none';
  }

  /**
   * Draws the results.
   *
   * @param isOver whether the last of them is done.
   */
  draw(outcomes: readonly RaceOutcome[], isOver: boolean): void {
    const now = this.waits ? 'asks' : isOver ? 'ends' : 'runs';
    this.#host.dataset.state = now;
    const guessed =
      this.#guess === undefined || this.#guess === 'none' ? '' : `Your guess: ${raceTitles[this.#guess]}.`;
    if (now === 'asks') render(this.#question(), this.#host);
    else if (now === 'runs') render(html`<p class="sub">${guessed}</p>`, this.#host);
    else
      render(
        html`<p class="end"><a href="#doubling" data-testid="race-end">${endWords(outcomes)}</a></p><p class="sub">${guessed}${guessed && this.#judged(outcomes)}</p><p class="sub">${bulkWords(outcomes)}</p>`,
        this.#host,
      );
  }

  #question(): TemplateResult {
    const button = (words: string, guess: Guess, kind: string) =>
      html`<button type="button" class=${kind || nothing} data-testid="guess-${guess}" @click=${() => {
        this.#guess = guess;
        this.#answered();
      }}>${words}</button>`;
    return html`<p class="question">Your guess?</p><p class="names">${named.map((protocol) => html`${button(raceTitles[protocol], protocol, '')} `)}${button('Just show me', 'none', 'quiet')}</p>`;
  }

  #judged(outcomes: readonly RaceOutcome[]): string {
    const [first] = finished(named.map((protocol) => outcomes.find((one) => one.protocol === protocol)!));
    if (first === undefined) return '';
    return ` Of the four${this.#guess === first.protocol ? ' you were right' : `, ${raceTitleWithin(first.protocol)} was first`}.`;
  }
}

function finished(outcomes: readonly RaceOutcome[]): readonly RaceOutcome[] {
  return outcomes.filter(({ reached, live }) => reached === live).toSorted((a, b) => a.lastMs - b.lastMs);
}

/** Describes the race in one line: the first and the last of the four named protocols, and their difference. */
export function endWords(outcomes: readonly RaceOutcome[]): string {
  const ranked = finished(outcomes.filter(({ protocol }) => named.includes(protocol)));
  const [first] = ranked;
  const last = ranked.at(-1);
  if (first === undefined || last === undefined || first === last) return 'How do two signatures become one?';
  const checks = ({ checked }: RaceOutcome) => count(Math.round(checked));
  return `${seconds(first.lastMs)} against ${seconds(last.lastMs)}: ${checks(first)} checks against ${checks(last)}. How?`;
}

/** Describes the fifth protocol: the speed of verifying sums without attackers, and its cost nevertheless. */
export function bulkWords(outcomes: readonly RaceOutcome[]): string {
  const [bulk, handel] = (['complete-graph-bulk', 'handel'] as const).map((protocol) =>
    outcomes.find((one) => one.protocol === protocol),
  );
  if (bulk === undefined || handel === undefined || bulk.reached < bulk.live) return '';
  const messages = ({ messagesSent }: RaceOutcome) => count(Math.round(messagesSent));
  return `The complete graph that checks one sum takes ${seconds(bulk.lastMs)} while nobody lies, with ${messages(bulk)} messages a node; Handel sends ${messages(handel)}.`;
}
