import { type LeanRecording, type LeanStrategy, readLeanLink, replayLeanLink } from '@tutti/ethereum/lean';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { count } from '../formatNumber.ts';
import { FieldForm, seeds } from '../links/fields.ts';
import { foldOnPress, query, say, sayError, showCommand, showNotices } from '../page.ts';
import { Player, type PlayerContent } from '../player/player.ts';
import { present } from '../player/present.ts';
import { wordTable } from '../views/drawing.ts';
import { messageOf, OneTask, task } from '../worker/task.ts';
import { curveOf, endsUs, jobsOf, wastedMerges } from './leanMoment.ts';
import { firstLeanState, type LeanState, leanCommand, leanFields, leanScenarioOf } from './leanState.ts';
import {
  type LeanOutcomeRow,
  leanChapters,
  outcomeOf,
  slotTime,
  spreadWords,
  startWords,
  strategyWords,
  verdictWords,
} from './leanText.ts';
import type { SimulatedSlot } from './leanWorker.ts';
import { drawWhy, StrategyPanel } from './strategyPanel.ts';

/** Number of slots without further faults that are listed after the counterexample's slots. */
const slotsMore = 3;

/**
 * Shows a counterexample of `tutti lean rules` slot by slot, or hides its section.
 *
 * @param check part of the link after `lean-check=`; undefined if there is no counterexample.
 */
function showCheck(check: string | undefined): void {
  query('#check').hidden = check === undefined;
  if (check === undefined) return;
  const words = query('#check-words');
  const lines = query('#check-slots');
  try {
    const link = `lean-check=${check}`;
    const { options, silent, wide } = readLeanLink(link);
    const { deadline } = options;
    const list = (name: string, of: readonly number[]) =>
      of.length === 0 ? '' : ` ${name}: ${of.map((one) => options.owners[one]).join(', ')}.`;
    const quiet = `${list('Silent', silent)}${list('With votes of all subnets in the leaf', wide)}`;
    const until = deadline === undefined ? '' : ` Merges that end after ${count(deadline)} slots are too late.`;
    words.textContent = `${strategyWords[options.rule].title}: aggregators of the subnets ${options.owners.join(', ')} of ${options.subnets}, without times: each aggregator may merge once per slot.${quiet}${until}`;
    render(
      replayLeanLink(link, slotsMore).map((line) => html`<li>${line}</li>`),
      lines,
    );
  } catch (error) {
    words.textContent = `This counterexample cannot be shown: ${messageOf(error)}`;
    render(nothing, lines);
  }
}

/** Factor by which the animation is slower than the slot. */
const slowdown = 5;
/** Maximum number of cached recordings. There is one per strategy and slot, and the page shows up to four at a time. */
const maxCached = 24;

/** Page for a slot of post-quantum aggregation, with four strategies on one clock. */
class LeanApp {
  readonly #player = new Player(
    { draw: (timeUs) => this.#draw(timeUs), link: (timeUs) => this.#link(timeUs) },
    { slowdown, timeInWords: (timeUs) => slotTime(timeUs / 1000) },
  );
  readonly #panels = firstLeanState.strategies.map(
    (_, place) =>
      new StrategyPanel(place + 1, {
        choose: (strategy) =>
          this.#choose({ strategies: this.#state.strategies.map((one, at) => (at === place ? strategy : one)) }, true),
        ask: (job) => this.#ask(this.#state.strategies[place]!, job.proof),
      }),
  );
  /** Media query for stacked panels, as in lean.css. */
  readonly #stacked = matchMedia('(max-width: 700px)');
  /**
   * Recordings of current and earlier choices, so that they need not be simulated again; the least recently used
   * recording is first.
   */
  readonly #cache = new Map<string, LeanRecording>();
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
    query('#next-wasted').addEventListener('click', () => this.#askNext());
    this.#openLink(location.hash);
  }

  #listen(): void {
    this.#form.addEventListener('change', () => this.#choose(this.#fields.read(this.#state).values));
    query('#seed-next').addEventListener('click', () =>
      this.#choose({ seed: (this.#state.seed + 1) % (seeds.max + 1) }),
    );
    this.#form.addEventListener('submit', (event) => event.preventDefault());
    foldOnPress(query<HTMLButtonElement>('#controls-fold'), this.#form);
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
    showCheck(this.#state.check);
    this.#show();
  }

  /** Shows another slot, or another strategy in the same slot at the clock's current moment. */
  #choose(to: Partial<LeanState>, isSameSlot = false): void {
    const timeMs = this.#player.playing ? undefined : this.#player.timeUs / 1000;
    this.#player.writeAddress();
    this.#state = { ...this.#state, ...to, asked: undefined, timeMs: isSameSlot ? timeMs : undefined };
    this.#player.addHistoryEntry();
    this.#show();
  }

  #keyOf(strategy: LeanStrategy): string {
    const { profile, subnets, each, cores, silent, start, seed } = this.#state;
    return [strategy, profile, subnets, each, cores, silent, start, seed].join();
  }

  #recordingOf(strategy: LeanStrategy): LeanRecording | undefined {
    const key = this.#keyOf(strategy);
    const recording = this.#cache.get(key);
    if (recording !== undefined) this.#store(key, recording);
    return recording;
  }

  /** Stores a recording as the most recently used one. If the cache is full, removes the least recently used one. */
  #store(key: string, recording: LeanRecording): void {
    this.#cache.delete(key);
    this.#cache.set(key, recording);
    if (this.#cache.size > maxCached) this.#cache.delete(this.#cache.keys().next().value!);
  }

  /** Shows the state, and simulates the slots that are not cached. */
  #show(): void {
    this.#task.stop();
    this.#showForm();
    const missing = [...new Set(this.#state.strategies)].filter(
      (strategy) => this.#recordingOf(strategy) === undefined,
    );
    this.#showPanels();
    if (missing.length === 0) {
      this.#finish();
      return;
    }
    this.#player.reset(0, false);
    query<HTMLButtonElement>('#next-wasted').disabled = true;
    say('running', 'Simulating the slot …');
    const worker = new Worker(new URL('./leanWorker.ts', import.meta.url), { type: 'module', name: 'tutti-lean' });
    const scenarios = missing.map((strategy) => leanScenarioOf(this.#state, strategy));
    const progress = ({ place, recording }: SimulatedSlot) => {
      this.#store(this.#keyOf(missing[place]!), recording);
      this.#task.progress = (place + 1) / missing.length;
      this.#showPanels();
    };
    this.#task.wait(
      task<typeof scenarios, number, SimulatedSlot>(worker, 'The slot', scenarios, { progress }),
      () => this.#finish(),
      (error) => sayError(error, 'The slot could not be simulated'),
    );
  }

  #showForm(): void {
    this.#fields.show(this.#state);
    showCommand(query('#command'), leanCommand(this.#state, this.#state.strategies.at(-1)!));
  }

  #showPanels(): void {
    this.#panels.forEach((panel, place) => {
      const strategy = this.#state.strategies[place]!;
      panel.strategy = strategy;
      panel.show(this.#recordingOf(strategy));
      panel.asked = this.#state.asked?.strategy === strategy ? this.#state.asked.proof : undefined;
    });
    this.#redraw();
  }

  /** Shows the results of the strategies, after all simulations have ended. */
  #finish(): void {
    const recordings = this.#recordings();
    const rows = recordings.map(outcomeOf);
    const [first] = recordings;
    query('#verdict').textContent = verdictWords(this.#state, rows);
    render(outcomeTable(rows), query('#outcome'));
    this.#player.show(this.#content());
    query<HTMLButtonElement>('#next-wasted').disabled = rows.every(({ wasted }) => wasted === 0);
    say('ready', '');
    this.#showAsked();
    const { timeMs } = this.#state;
    if (timeMs !== undefined) this.#player.goTo(1000 * timeMs);
    else if (this.#state.asked !== undefined) this.#player.goTo(1000 * first!.slotMs);
    else if (this.#state.check === undefined) this.#player.play();
    this.#player.writeAddress();
    this.#redraw();
  }

  #content(): PlayerContent {
    const recordings = this.#recordings();
    return {
      track: { spanUs: 1000 * recordings[0]!.slotMs, curve: curveOf(recordings) },
      chapters: leanChapters(this.#state, recordings, query('#verdict').textContent!),
      marks: [],
      stepsUs: endsUs(recordings),
    };
  }

  /** Returns the available recordings, without duplicates. */
  #recordings(): LeanRecording[] {
    return [...new Set(this.#state.strategies)].flatMap((strategy) => this.#recordingOf(strategy) ?? []);
  }

  /** Shows the explanation of a job. */
  #ask(strategy: LeanStrategy, proof: number): void {
    this.#state = { ...this.#state, asked: { strategy, proof } };
    if (this.#player.playing) this.#player.pause();
    this.#player.setContent(this.#content());
    this.#player.wantFrame();
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
    const all = this.#recordings().flatMap((recording) =>
      wastedMerges(recording).map((job) => ({ strategy: recording.strategy, job })),
    );
    const { asked } = this.#state;
    const now = all.findIndex(({ strategy, job }) => strategy === asked?.strategy && job.proof === asked.proof);
    const next = all[(now + 1) % all.length];
    if (next === undefined) return;
    this.#player.goTo(Math.round(1000 * Math.min(next.job.endMs, this.#recordingOf(next.strategy)!.slotMs)));
    this.#ask(next.strategy, next.job.proof);
  }

  #showAsked(): void {
    const { asked } = this.#state;
    const recording = asked && this.#recordingOf(asked.strategy);
    const job = recording && jobsOf(recording).find(({ proof }) => proof === asked.proof);
    drawWhy(query('#why'), recording, job);
  }

  #redraw(): void {
    this.#draw(this.#player.timeUs);
  }

  #draw(timeUs: number): void {
    for (const panel of this.#panels) panel.draw(timeUs / 1000);
  }
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
    'proofs of the proposer',
    'merge time',
    'merges',
    'wasted',
    'prover time wasted',
  ];
  return wordTable(columns, lines);
}

new LeanApp().open();
