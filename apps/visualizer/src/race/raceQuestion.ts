import type { RaceProtocol } from '@tutti/lab';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { count, spelled } from '../formatNumber.ts';
import type { Race, RaceOutcome } from './raceFile.ts';
import { byzantineWords, finished, firstWords, invalidSigners, questionWords, raceTexts } from './raceText.ts';

/** Guess of the reader before the race: a protocol, or none. */
type Guess = RaceProtocol | 'none';

/** State of a race at one moment of its story. */
interface RaceMoment {
  /** The race; undefined while it is simulated. */
  readonly race: Race | undefined;
  /** Results of the recorded race with the same dead nodes and without Byzantine nodes. */
  readonly honest: readonly RaceOutcome[];
  /** Number of Byzantine nodes in the race that is being simulated; 0 for a recorded race. */
  readonly simulated: number;
  readonly timeMs: number;
  /** Whether the last protocol has finished. */
  readonly isOver: boolean;
}

/** Actions of the reader that the page handles. */
interface RaceQuestionListener {
  /** Called when the reader has answered the question, or the time for an answer is over. */
  answered(): void;
  /** Requests a race with this number of Byzantine nodes, or the recorded race for 0. */
  setByzantine(count: number): void;
}

/** Number of Byzantine nodes in the race with Byzantine nodes that was recorded at build time. */
export const recordedByzantine = 10;
/** Time after which the race starts without an answer, s: enough to read three sentences. */
const patienceS = 9;

/** Question before the race and result at the end of the race, in one corner of the stage. */
export class RaceQuestion {
  readonly #host: HTMLElement;
  readonly #protocols: readonly RaceProtocol[];
  readonly #on: RaceQuestionListener;
  #guess: Guess | undefined;
  #leftS = patienceS;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(host: HTMLElement, protocols: readonly RaceProtocol[], on: RaceQuestionListener) {
    this.#host = host;
    this.#protocols = protocols;
    this.#on = on;
  }

  /** Whether the race waits for an answer. */
  get waits(): boolean {
    return this.#guess === undefined;
  }

  /** Ends the question, unless it has been answered. The question is then not asked again. */
  skip(): void {
    this.#answer(this.#guess ?? 'none');
  }

  /** Starts a countdown of a few seconds to the race. The countdown pauses while the page is hidden. */
  startSoon(): void {
    if (!this.waits || this.#timer !== undefined) return;
    this.#timer = setInterval(() => {
      if (document.hidden) return;
      this.#leftS--;
      if (this.#leftS > 0) render(this.#question(), this.#host);
      else {
        this.#answer('none');
        this.#on.answered();
      }
    }, 1000);
  }

  #answer(guess: Guess): void {
    this.#guess = guess;
    clearInterval(this.#timer);
  }

  /** Draws the question, the text during the race, or the result. */
  draw(moment: RaceMoment): void {
    const { race, timeMs } = moment;
    const [first, second] = race === undefined ? [] : finished(race.outcomes);
    // The result is shown once two protocols have finished.
    const resultMs = (second ?? first)?.lastMs ?? Number.POSITIVE_INFINITY;
    const now = this.waits ? 'asks' : timeMs >= resultMs ? 'ends' : 'runs';
    this.#host.dataset.state = now;
    if (now === 'asks') render(this.#question(), this.#host);
    else if (now === 'runs') render(html`<p class="sub">${this.#meanwhile(moment)}</p>`, this.#host);
    else render(race!.byzantine > 0 ? this.#afterByzantine(race!, moment.honest) : this.#result(moment), this.#host);
  }

  #question(): TemplateResult {
    const button = (words: string, guess: Guess, kind: string) =>
      html`<button type="button" class=${kind || nothing} data-testid="guess-${guess}" @click=${() => {
        this.#answer(guess);
        this.#on.answered();
      }}>${words}</button>`;
    const soon = this.#timer === undefined ? '' : ` Starts in ${this.#leftS}\u00a0s.`;
    return html`<p class="question">Which is first?<span class="soon">${soon}</span></p><p class="names">${this.#protocols.map((protocol) => html`${button(raceTexts[protocol].title, protocol, '')} `)}${button('Skip the guess', 'none', 'quiet')}</p>`;
  }

  /** Returns the text shown during the race. */
  #meanwhile({ race, simulated }: RaceMoment): string {
    if (race === undefined)
      return simulated === 0
        ? 'Loading the recorded race …'
        : `Simulating both protocols again with ${invalidSigners(simulated)} and the same seed …`;
    const { byzantine, outcomes } = race;
    if (byzantine === 0) return this.#guessText();
    const sends = byzantine === 1 ? 'node sends' : 'nodes send';
    return `${spelled(byzantine)} ${sends} invalid signatures (×); ${count(outcomes[0]!.live)} nodes are honest.`;
  }

  /** Returns the reader's guess as a sentence, or an empty text without a guess. */
  #guessText(): string {
    return this.#guess === undefined || this.#guess === 'none' ? '' : `Your guess: ${raceTexts[this.#guess].title}.`;
  }

  #result({ race, isOver }: RaceMoment): TemplateResult {
    const { outcomes, dead } = race!;
    const [first] = finished(outcomes);
    const guess = this.#guessText();
    const guessed = guess && this.#guess === first?.protocol ? `${guess} You were right.` : guess;
    const onward = html`<p class="sub"><a href="#doubling" data-testid="race-end">${questionWords(outcomes)}</a></p>`;
    return html`<p class="end" data-testid="race-first">${firstWords(outcomes)}</p>${guessed ? html`<p class="sub">${guessed}</p>` : nothing}${dead === 0 ? html`<p class="names"><button type="button" class="primary" data-testid="now-byzantine" @click=${() => this.#on.setByzantine(recordedByzantine)}>Add ${invalidSigners(recordedByzantine)}</button></p>` : nothing}${isOver ? onward : nothing}`;
  }

  #afterByzantine({ outcomes, byzantine }: Race, honest: readonly RaceOutcome[]): TemplateResult {
    const { verdict, why } = byzantineWords(honest, outcomes, byzantine);
    const other = byzantine === recordedByzantine ? 1 : recordedByzantine;
    const button = (words: string, number: number) =>
      html`<button type="button" data-testid="byzantine-${number}" @click=${() => this.#on.setByzantine(number)}>${words}</button> `;
    return html`<p class="end" data-testid="race-byzantine">${verdict}<span class="byzantine-why">${why}</span></p><p class="names">${button(`Try ${invalidSigners(other)}`, other)}${button(`All ${spelled(this.#protocols.length).toLowerCase()} again`, 0)}</p>`;
  }
}
