import type { RaceProtocol } from '@tutti/lab';
import { made } from '../made.ts';
import { count } from '../numberWords.ts';
import type { RaceOutcome } from './raceFile.ts';
import { raceTitles, raceTitleWithin } from './raceTitles.ts';
import { seconds } from './raceWords.ts';

/** Whose names are to be pressed; the fifth runner answers an objection that comes later. */
const named: readonly RaceProtocol[] = ['handel', 'san-fermin', 'complete-graph', 'gossip'];

/** What the reader guessed before the race: a name, or nothing. */
export type Guess = RaceProtocol | 'none';

/** The question before the race, and the line at its end, in one corner of the stage. */
export class RaceQuestion {
  readonly #host: HTMLElement;
  readonly #answered: () => void;
  #guess: Guess | undefined;
  #shown = '';

  constructor(host: HTMLElement, answered: () => void) {
    this.#host = host;
    this.#answered = answered;
  }

  /** Whether the race waits for an answer. */
  get waits(): boolean {
    return this.#guess === undefined;
  }

  /** Whoever goes on without an answer does not want to be asked. */
  skip(): void {
    this.#guess ??= 'none';
  }

  /** @param isOver whether the last of them is done. */
  draw(outcomes: readonly RaceOutcome[], isOver: boolean): void {
    const now = this.waits ? 'asks' : isOver ? `ends ${JSON.stringify(outcomes)}` : 'runs';
    if (now === this.#shown) return;
    this.#shown = now;
    this.#host.dataset.state = this.waits ? 'asks' : isOver ? 'ends' : 'runs';
    if (this.waits) this.#ask();
    else if (isOver) this.#end(outcomes);
    else this.#host.replaceChildren(this.#guessed());
  }

  #ask(): void {
    const question = made('p', { className: 'question', textContent: 'Your guess?' });
    const names = made('p', { className: 'names' });
    for (const protocol of named) names.append(this.#button(raceTitles[protocol], protocol), ' ');
    const skip = this.#button('Just show me', 'none');
    skip.className = 'quiet';
    names.append(skip);
    this.#host.replaceChildren(question, names);
  }

  #button(words: string, guess: Guess): HTMLButtonElement {
    const button = made('button', { type: 'button', textContent: words, dataset: { testid: `guess-${guess}` } });
    button.addEventListener('click', () => {
      this.#guess = guess;
      this.#answered();
    });
    return button;
  }

  #guessed(): HTMLElement {
    return made('p', {
      className: 'sub',
      textContent: this.#guess === undefined || this.#guess === 'none' ? '' : `Your guess: ${raceTitles[this.#guess]}.`,
    });
  }

  #end(outcomes: readonly RaceOutcome[]): void {
    const link = made('a', { href: '#doubling', textContent: endWords(outcomes), dataset: { testid: 'race-end' } });
    const bulk = made('p', { className: 'sub', textContent: bulkWords(outcomes) });
    this.#host.replaceChildren(made('p', { className: 'end' }, link), this.#judged(outcomes), bulk);
  }

  #judged(outcomes: readonly RaceOutcome[]): HTMLElement {
    const guessed = this.#guessed();
    const [first] = finished(named.map((protocol) => outcomes.find((one) => one.protocol === protocol)!));
    if (this.#guess === undefined || this.#guess === 'none' || first === undefined) return guessed;
    guessed.textContent += ` Of the four${this.#guess === first.protocol ? ' you were right' : `, ${raceTitleWithin(first.protocol)} was first`}.`;
    return guessed;
  }
}

function finished(outcomes: readonly RaceOutcome[]): readonly RaceOutcome[] {
  return outcomes.filter(({ reached, live }) => reached === live).toSorted((a, b) => a.lastMs - b.lastMs);
}

/** The race in one line: of the four that were named the first beside the last, and what the difference is. */
export function endWords(outcomes: readonly RaceOutcome[]): string {
  const ranked = finished(outcomes.filter(({ protocol }) => named.includes(protocol)));
  const [first] = ranked;
  const last = ranked.at(-1);
  if (first === undefined || last === undefined || first === last) return 'How do two signatures become one?';
  const checks = ({ checked }: RaceOutcome) => count(Math.round(checked));
  return `${seconds(first.lastMs)} against ${seconds(last.lastMs)}: ${checks(first)} checks against ${checks(last)}. How?`;
}

/** What the fifth runner shows: how fast a sum is checked while nobody lies, and what it takes all the same. */
export function bulkWords(outcomes: readonly RaceOutcome[]): string {
  const [bulk, handel] = (['complete-graph-bulk', 'handel'] as const).map((protocol) =>
    outcomes.find((one) => one.protocol === protocol),
  );
  if (bulk === undefined || handel === undefined || bulk.reached < bulk.live) return '';
  const messages = ({ messagesSent }: RaceOutcome) => count(Math.round(messagesSent));
  return `The complete graph that checks one sum takes ${seconds(bulk.lastMs)} while nobody lies, with ${messages(bulk)} messages a node; Handel sends ${messages(handel)}.`;
}
