import type { LeanRecording, LeanStrategy } from '@tutti/ethereum/lean';
import { render, type TemplateResult } from 'lit-html';
import { count } from '../formatNumber.ts';
import { FieldForm, seeds } from '../links/fields.ts';
import { foldOnPress, query, say, sayError, showCommand, showNotices } from '../page.ts';
import { Player, type PlayerContent } from '../player/player.ts';
import { present } from '../player/present.ts';
import { wordTable } from '../views/drawing.ts';
import { OneTask } from '../worker/task.ts';
import { showCheck } from './leanCheck.ts';
import { curveOf, endsUs, jobsOf, type LeanOutcomeRow, nextWasted, outcomeOf } from './leanMoment.ts';
import { LeanRecordings, simulateLeanSlots } from './leanRecordings.ts';
import { firstLeanState, type LeanState, leanCommand, leanFields, leanScenarioOf } from './leanState.ts';
import { leanChapters, slotTime, spreadWords, startWords, strategyWords, verdictWords } from './leanText.ts';
import { drawWhy, StrategyPanel } from './strategyPanel.ts';

/** Factor by which the animation is slower than the slot. */
const slowdown = 5;

/** Page for a slot of post-quantum aggregation, with four strategies on one clock. */
class LeanApp {
  readonly #player = new Player(
    { draw: (timeUs) => this.#draw(timeUs), link: (timeUs) => this.#link(timeUs) },
    { slowdown, timeInWords: (timeUs) => slotTime(timeUs / 1000) },
  );
  readonly #panels = firstLeanState.strategies.map(
    (_, place) =>
      new StrategyPanel(place + 1, {
        choose: (strategy) => this.#choose({ strategies: this.#state.strategies.with(place, strategy) }, true),
        ask: (job) => this.#ask(this.#state.strategies[place]!, job.proof),
      }),
  );
  /** Media query for stacked panels, as in lean.css. */
  readonly #stacked = matchMedia('(max-width: 700px)');
  /** Recordings of current and earlier choices. */
  readonly #recorded = new LeanRecordings();
  readonly #form = query<HTMLFormElement>('#controls');
  readonly #fields = new FieldForm(this.#form, leanFields, {
    cores: (cores) => `${cores} cores${cores === 64 ? ', extrapolated' : ''}`,
    silent: (share) => (share === 0 ? 'none' : `${share} %`),
    start: (start) => startWords[start],
  });
  #state: LeanState = firstLeanState;
  readonly #task = new OneTask(query<HTMLProgressElement>('#run-progress'), () => {});

  open(): void {
    present(
      {
        follow: (hash) => this.#openLink(hash),
        link: (timeUs) => this.#link(timeUs),
        resize: () => {
          for (const panel of this.#panels) panel.layOut();
        },
      },
      this.#player,
    );
    query('#strategies').append(...this.#panels.map(({ element }) => element));
    // The table can be focused, so that the keyboard can scroll it.
    query('#outcome').tabIndex = 0;
    this.#listen();
    this.#openLink(location.hash);
  }

  #listen(): void {
    this.#form.addEventListener('change', () => {
      const { values, notices } = this.#fields.read(this.#state);
      showNotices(notices);
      this.#choose(values);
    });
    query('#seed-next').addEventListener('click', () =>
      this.#choose({ seed: (this.#state.seed + 1) % (seeds.max + 1) }),
    );
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    foldOnPress(query<HTMLButtonElement>('#controls-fold'), this.#form);
    query('#next-wasted').addEventListener('click', () => this.#askNext());
  }

  #link(timeUs: number | undefined): string {
    // Until the simulation has ended, the link contains the requested moment.
    if (this.#player.endUs === 0) return leanFields.write(this.#state);
    return leanFields.write({ ...this.#state, timeMs: timeUs === undefined ? undefined : timeUs / 1000 });
  }

  #openLink(hash: string): void {
    const { values, notices } = leanFields.read(hash);
    showNotices(notices);
    this.#state = values;
    showCheck(values.check);
    this.#show();
  }

  /** Shows another slot, or another strategy in the same slot at the clock's current moment. */
  #choose(to: Partial<LeanState>, isSameSlot = false): void {
    // Until the simulation has ended, the clock is not at the requested moment yet.
    const { playing, timeUs, endUs } = this.#player;
    const timeMs = endUs === 0 ? this.#state.timeMs : playing ? undefined : timeUs / 1000;
    this.#player.writeAddress();
    this.#state = { ...this.#state, ...to, asked: undefined, timeMs: isSameSlot ? timeMs : undefined };
    this.#player.addHistoryEntry();
    this.#show();
  }

  /** Shows the state, and simulates the slots that have no recording. */
  #show(): void {
    this.#task.stop();
    this.#fields.show(this.#state);
    showCommand(query('#command'), leanCommand(this.#state, this.#state.strategies.at(-1)!));
    const missing = this.#strategies.filter((strategy) => this.#recordingOf(strategy) === undefined);
    if (missing.length > 0) this.#simulate(missing);
    this.#showPanels();
    if (missing.length === 0) this.#showResults();
  }

  #simulate(strategies: readonly LeanStrategy[]): void {
    this.#player.reset(0, false);
    query<HTMLButtonElement>('#next-wasted').disabled = true;
    say('running', 'Simulating the slot …');
    const scenarios = strategies.map((strategy) => leanScenarioOf(this.#state, strategy));
    this.#task.wait(
      simulateLeanSlots(scenarios, ({ place, recording }) => {
        this.#recorded.set(scenarios[place]!, recording);
        this.#task.progress = (place + 1) / scenarios.length;
        this.#showPanels();
      }),
      () => this.#showResults(),
      (error) => {
        this.#showPanels();
        sayError(error, 'The slot could not be simulated');
      },
    );
  }

  /** Strategies of the panels, without duplicates. */
  get #strategies(): readonly LeanStrategy[] {
    return [...new Set(this.#state.strategies)];
  }

  #recordingOf(strategy: LeanStrategy): LeanRecording | undefined {
    return this.#recorded.get(leanScenarioOf(this.#state, strategy));
  }

  #showPanels(): void {
    this.#panels.forEach((panel, place) => {
      const strategy = this.#state.strategies[place]!;
      panel.strategy = strategy;
      const recording = this.#recordingOf(strategy);
      panel.show(recording, recording === undefined && this.#task.isRunning);
      panel.asked = this.#state.asked?.strategy === strategy ? this.#state.asked.proof : undefined;
    });
    this.#draw(this.#player.timeUs);
  }

  /** Shows the results of the strategies, after all simulations have ended. */
  #showResults(): void {
    const recordings = this.#recordings;
    const rows = recordings.map(outcomeOf);
    query('#verdict').textContent = verdictWords(this.#state, rows);
    render(outcomeTable(rows), query('#outcome'));
    query<HTMLButtonElement>('#next-wasted').disabled = rows.every(({ wasted }) => wasted === 0);
    this.#player.show(contentOf(this.#state, recordings));
    say('ready', '');
    this.#showAsked();
    this.#arrive();
    this.#player.writeAddress();
  }

  /**
   * Goes to the moment that the link names, or to the end of the slot if the link names only a job. Otherwise plays the
   * slot, unless the page shows a counterexample.
   */
  #arrive(): void {
    const { timeMs, asked, check } = this.#state;
    if (timeMs !== undefined) this.#player.goTo(1000 * timeMs);
    else if (asked !== undefined) this.#player.goTo(this.#player.endUs);
    else if (check === undefined) this.#player.begin(undefined);
  }

  /** Recordings of the strategies, each once. Strategies that are still being simulated are left out. */
  get #recordings(): LeanRecording[] {
    return this.#strategies.flatMap((strategy) => this.#recordingOf(strategy) ?? []);
  }

  /** Shows the explanation of a job. */
  #ask(strategy: LeanStrategy, proof: number): void {
    this.#state = { ...this.#state, asked: { strategy, proof } };
    this.#player.pause();
    this.#player.setContent(contentOf(this.#state, this.#recordings));
    this.#showPanels();
    this.#showAsked();
    this.#scrollToExplanation(strategy);
    this.#player.writeAddress();
  }

  /** Scrolls to the explanation. If the strategies are stacked, the explanation is placed below its strategy. */
  #scrollToExplanation(strategy: LeanStrategy): void {
    const section = query('#waste');
    const place = this.#stacked.matches
      ? this.#panels[this.#state.strategies.indexOf(strategy)]!.element
      : query('#legend');
    const focused = document.activeElement;
    if (place.nextElementSibling !== section) place.after(section);
    if (focused instanceof HTMLElement && section.contains(focused)) focused.focus({ preventScroll: true });
    section.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Shows the explanation of the next wasted merge, one strategy after another. After the last wasted merge, returns to
   * the first.
   */
  #askNext(): void {
    const next = nextWasted(this.#recordings, this.#state.asked);
    if (next === undefined) return;
    const { recording, job } = next;
    this.#player.goTo(Math.round(1000 * Math.min(job.endMs, recording.slotMs)));
    this.#ask(recording.strategy, job.proof);
  }

  #showAsked(): void {
    const { asked } = this.#state;
    const recording = this.#recordings.find(({ strategy }) => strategy === asked?.strategy);
    const job = recording && jobsOf(recording).find(({ proof }) => proof === asked?.proof);
    drawWhy(query('#why'), recording, job);
  }

  #draw(timeUs: number): void {
    for (const panel of this.#panels) panel.draw(timeUs / 1000);
  }
}

/** Returns the player's content for the strategies of one slot. */
function contentOf(state: LeanState, recordings: readonly LeanRecording[]): PlayerContent {
  return {
    track: { spanUs: 1000 * recordings[0]!.slotMs, curve: curveOf(recordings) },
    chapters: leanChapters(state, recordings, verdictWords(state, recordings.map(outcomeOf))),
    marks: [],
    stepsUs: endsUs(recordings),
  };
}

function outcomeTable(rows: readonly LeanOutcomeRow[]): TemplateResult {
  const lines = rows.map((row) => [
    strategyWords[row.strategy].title,
    spreadWords(row.votes),
    count(row.proofs),
    row.proofs > 1 ? slotTime(row.mergeMs) : '–',
    count(row.merges),
    count(row.wasted),
    `${row.wastedSeconds.toFixed(1)} of ${row.proverSeconds.toFixed(1)}\u00a0s`,
  ]);
  const columns = [
    'strategy',
    'votes, mean (p10 to p90)',
    'proposer’s proofs',
    'merge time',
    'merges',
    'wasted',
    'prover time wasted',
  ];
  return wordTable(columns, lines);
}

new LeanApp().open();
