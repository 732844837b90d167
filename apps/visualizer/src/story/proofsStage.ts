import type { LeanRecording, LeanScenario, LeanStrategy } from '@tutti/ethereum/lean';
import { curveOf, endsUs, jobsOf, nextWasted, outcomeOf } from '../lean/leanMoment.ts';
import { leanWorker, simulateLeanSlots } from '../lean/leanRecordings.ts';
import { firstLeanState, type LeanState, leanFields, leanScenarioOf } from '../lean/leanState.ts';
import { leanChapters, slotTime } from '../lean/leanText.ts';
import { drawWhy, StrategyPanel } from '../lean/strategyPanel.ts';
import { showConclusion } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';
import { SeedStrip } from '../strip/seedStrip.ts';
import type { Task } from '../worker/task.ts';
import type { Shown } from './address.ts';
import { proofsConclusion } from './conclusions.ts';
import { SectionStage, type Stage, type StageListener } from './stage.ts';

const strategies = ['greedy', 'halving-owners'] as const satisfies readonly LeanStrategy[];
/**
 * State of the slot's page that the stage shows. Both strategies begin with the same number of votes and differ only in
 * the way merges are assigned.
 */
const state: LeanState = { ...firstLeanState, strategies, start: 'free' };

/**
 * Stage that shows a slot of proofs without assigned owners and with assigned owners. Pressing a merge shows the result
 * of the merge.
 */
export class ProofsStage extends SectionStage implements Stage<Shown<'proofs'>> {
  readonly #panels: readonly StrategyPanel[];
  readonly #recordings: LeanRecording[] = [];
  /** Simulation of both slots, also after its end; undefined before it starts and after a failure. */
  #task: Task<number> | undefined;
  /** Whether the simulation has failed. It may then be requested again. */
  hasFailed = false;
  readonly #seeds: ReturnType<typeof leanSeeds>;
  #content: PlayerContent | undefined;
  #asked: Shown<'proofs'>['asked'];

  constructor(section: HTMLElement, on: StageListener) {
    super(section, on);
    const host = this.find('.two-strategies');
    this.#panels = strategies.map(
      (strategy, place) =>
        new StrategyPanel(place + 1, {
          ask: ({ proof }) => this.#ask({ strategy, proof }),
          room: () => host.clientHeight - this.#panels[place]!.element.querySelector('figcaption')!.offsetHeight,
        }),
    );
    host.append(...this.#panels.map(({ element }) => element));
    this.#panels.forEach((panel, place) => {
      panel.strategy = strategies[place]!;
      panel.show(undefined);
    });
    // The page behind the link shows the same slot.
    this.find<HTMLAnchorElement>('.onward-link a').hash = leanFields.write({
      ...state,
      strategies: firstLeanState.strategies,
    });
    this.#seeds = leanSeeds(this.find('.seed-strip'));
    this.find('#proofs-next').addEventListener('click', () => this.#askNext());
  }

  get content(): PlayerContent | undefined {
    return this.#content;
  }

  get endUs(): number {
    return 1000 * (this.#recordings[0]?.slotMs ?? 0);
  }

  get shows(): Shown<'proofs'> {
    return { asked: this.#asked };
  }

  words(timeUs: number): string {
    return slotTime(timeUs / 1000);
  }

  show({ asked }: Shown<'proofs'>): void {
    this.#asked = asked;
    if (this.#content === undefined) this.#simulate();
    else {
      this.#updateContent();
      this.#showAsked();
    }
  }

  draw(timeUs: number): void {
    for (const panel of this.#panels) panel.draw(timeUs / 1000);
  }

  resize(): void {
    for (const panel of this.#panels) panel.layOut();
  }

  #simulate(): void {
    if (this.#task !== undefined) return;
    this.hasFailed = false;
    this.find('#proofs-said').textContent = '';
    this.busyWith = 'two slots';
    for (const panel of this.#panels) panel.show(undefined);
    const scenarios = strategies.map((strategy) => leanScenarioOf(state, strategy));
    this.#task = simulateLeanSlots(scenarios, ({ place, recording }) => {
      this.#recordings[place] = recording;
    });
    this.#task.result.then(
      () => {
        this.#adopt();
        const rows = this.#recordings.map((recording, place) => ({
          name: ['without assignment', 'with owners'][place]!,
          own: outcomeOf(recording).wasted,
          requestOf: (seed: number) => [{ ...scenarios[place]!, seed }],
        }));
        this.#seeds.show(rows, state.seed);
      },
      (error: Error) => {
        this.#task = undefined;
        this.hasFailed = true;
        this.busyWith = undefined;
        for (const panel of this.#panels) panel.show(undefined, false);
        this.find('#proofs-said').textContent = `The slot could not be simulated: ${error.message}`;
      },
    );
  }

  #adopt(): void {
    this.busyWith = undefined;
    this.#updateContent();
    this.#panels.forEach((panel, place) => {
      panel.show(this.#recordings[place]);
    });
    this.find<HTMLButtonElement>('#proofs-next').disabled = false;
    this.#showAsked();
    this.on.changed();
  }

  #updateContent(): void {
    const [alone, shared] = this.#recordings.map(outcomeOf);
    const said = proofsConclusion(alone!, shared!);
    showConclusion(this.find('#proofs-said'), said);
    this.#content = {
      track: { spanUs: this.endUs, curve: curveOf(this.#recordings) },
      chapters: leanChapters({ ...state, asked: this.#asked }, this.#recordings, said.said),
      marks: [],
      stepsUs: endsUs(this.#recordings),
    };
  }

  #ask(asked: NonNullable<Shown<'proofs'>['asked']>): void {
    this.#asked = asked;
    this.#updateContent();
    this.#showAsked();
    const job = this.#jobOf(asked);
    const endUs = Math.round(1000 * (job?.endMs ?? 0));
    this.on.changed({ atUs: Math.min(this.endUs, Math.max(this.on.now(), endUs)), plays: false });
  }

  /** Shows the next wasted merge in the slot. After the last wasted merge, the first one is shown again. */
  #askNext(): void {
    const next = nextWasted(this.#recordings, this.#asked);
    if (next === undefined) return;
    const strategy = strategies.find((one) => one === next.recording.strategy)!;
    this.#ask({ strategy, proof: next.job.proof });
  }

  #jobOf({ strategy, proof }: { readonly strategy: LeanStrategy; readonly proof: number }) {
    const recording = this.#recordings.find((one) => one.strategy === strategy);
    return recording && jobsOf(recording).find((job) => job.proof === proof);
  }

  #showAsked(): void {
    this.#panels.forEach((panel, place) => {
      panel.asked = this.#asked?.strategy === strategies[place] ? this.#asked?.proof : undefined;
    });
    const recording = this.#recordings.find(({ strategy }) => strategy === this.#asked?.strategy);
    drawWhy(this.find('#proofs-why'), recording, this.#asked && this.#jobOf(this.#asked));
  }
}

/** Returns a strip that shows, per seed, the number of wasted merges in a slot. */
function leanSeeds(host: HTMLElement): SeedStrip<readonly LeanScenario[]> {
  return new SeedStrip<readonly LeanScenario[]>(
    host,
    { verb: '', unit: 'wasted merges', none: 'no slot ends', more: 'wastes more merges' },
    () => leanWorker('tutti-lean-seeds'),
  );
}
