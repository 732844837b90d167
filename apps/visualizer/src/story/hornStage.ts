import { hornSizes, scaledHornParameters, slotClock } from '@tutti/core/horn';
import type { SlotResult, SlotScenario } from '@tutti/ethereum';
import type { CommitteeRun } from '@tutti/lab';
import { count, percent, seconds } from '../formatNumber.ts';
import { lostToEve } from '../horn/fieldSlot.ts';
import {
  committeeRunWords,
  eveWords,
  handelChapter,
  handelTitle,
  slotSizeWords,
  threeChapters,
} from '../horn/laneText.ts';
import { type SlotRequest, simulateSystems, slotWorker } from '../horn/runSlots.ts';
import { systemNames } from '../horn/slotChoice.ts';
import { SlotFields } from '../horn/slotFields.ts';
import { countsAt, recordedSlots, type SlotFile, type SlotLane } from '../horn/slotFile.ts';
import { showConclusion } from '../page.ts';
import type { PlayerContent } from '../player/player.ts';
import { SeedStrip } from '../strip/seedStrip.ts';
import type { Shown } from './address.ts';
import { hornConclusion } from './conclusions.ts';
import { SectionStage, type Stage, type StageListener } from './stage.ts';

/** Number of points of the track's curve. */
const trackPoints = 120;
/**
 * Numbers of validators: slots with `atOnce` validators are simulated immediately, slots with `onRequest` validators
 * only at the reader's request.
 */
const sizes = { atOnce: 2 ** 16, onRequest: 2 ** 20 } as const;
/**
 * Maximum number of nodes in the simulated Handel committee if there are attackers. With attackers, the simulation of a
 * larger committee would take a minute.
 */
const maxNodesWithEve = 2048;
const maxEve = 0.4;
/**
 * Maximum duration of a chapter, s. With this maximum, the stage's clock reaches the next block before most readers
 * leave.
 */
const maxSeconds = 5;

/** Requested slot: the number of validators, and the share that Eve controls. */
interface Asked {
  readonly validators: number;
  readonly eve: number;
}

function isSame(one: Asked | undefined, other: Asked | undefined): boolean {
  return one?.validators === other?.validators && one?.eve === other?.eve;
}

/**
 * Stage that shows four systems on one clock: the status quo, the strawman, Horn, and Handel on a committee. The clock
 * pauses at the time of the next block in today's system.
 */
class HornStage extends SectionStage implements Stage<Shown<'horn'>> {
  readonly endUs: number;
  readonly #holdUs: number;
  readonly #recorded: SlotFile;
  readonly #fields: SlotFields;
  readonly #seeds: ReturnType<typeof slotSeeds>;
  /** Most recent request of the reader; undefined for the recorded slot. */
  #asked: Asked | undefined;
  /** Request whose slot is shown; undefined for the recorded slot. */
  #shown: Asked | undefined;
  #content: PlayerContent | undefined;
  #run: { stop(): void } | undefined;
  /** Last slot that was simulated immediately. The stage returns to this slot from a slot with a million validators. */
  #lastSimulated:
    | { readonly asked: Asked; readonly lanes: readonly SlotLane[]; readonly committee: CommitteeRun }
    | undefined;

  constructor(recorded: SlotFile, section: HTMLElement, on: StageListener) {
    super(section, on);
    this.#recorded = recorded;
    this.#fields = new SlotFields(this.find('#three-fields'));
    this.#seeds = slotSeeds(this.find('.seed-strip'));
    const clock = slotClock('horn', this.#first.parameters);
    this.endUs = clock.endUs;
    this.#holdUs = clock.collectUs;
    const eve = this.find<HTMLInputElement>('#horn-eve');
    eve.max = String(maxEve * 100);
    eve.addEventListener('input', () => this.#nameEve());
    eve.addEventListener('change', () =>
      this.#choose({ validators: this.#asked?.validators ?? sizes.atOnce, eve: Number(eve.value) / 100 }),
    );
    this.find('#horn-size').addEventListener('click', () => {
      const { validators, eve: share } = this.#asked ?? { validators: sizes.atOnce, eve: Number(eve.value) / 100 };
      this.#choose({ validators: validators === sizes.atOnce ? sizes.onRequest : sizes.atOnce, eve: share });
    });
  }

  get content(): PlayerContent | undefined {
    return this.#content;
  }

  get shows(): Shown<'horn'> {
    return { validators: this.#asked?.validators, eve: this.#asked?.eve ?? 0 };
  }

  show({ validators, eve }: Shown<'horn'>): void {
    // If neither a number of validators nor a share for Eve is requested, the recorded slot is shown.
    const isRecorded = validators === undefined && eve === 0;
    this.#choose(isRecorded ? undefined : { validators: validators ?? sizes.atOnce, eve });
  }

  words(timeUs: number): string {
    return seconds(timeUs);
  }

  draw(timeUs: number): void {
    this.#fields.draw(timeUs);
  }

  resize(): void {
    this.#fields.resize();
  }

  recolour(): void {
    this.#fields.recolour();
  }

  get #first(): SlotScenario {
    return this.#recorded.lanes[0]!.result.scenario;
  }

  #nameEve(): void {
    this.find('#horn-eve-value').textContent = percent(Number(this.find<HTMLInputElement>('#horn-eve').value), 100);
  }

  /** Shows a text below the controls. @param isProgress whether the text takes the space of the text before it. */
  #say(words: string, isProgress = false): void {
    const said = this.find('#horn-said');
    said.style.minHeight = isProgress ? `${said.offsetHeight}px` : '';
    said.textContent = words;
  }

  #choose(asked: Asked | undefined): void {
    if (isSame(asked, this.#asked) && (this.#content !== undefined || this.#run !== undefined)) return;
    const hadContent = this.#content !== undefined;
    this.#run?.stop();
    this.#run = undefined;
    this.#showChoice(asked);
    this.busyWith = undefined;
    if (asked === undefined) {
      this.#say('');
      this.#adopt(this.#recorded.lanes, this.#recorded.committee);
      if (hadContent) this.on.changed({ atUs: this.#holdUs, plays: false });
    } else if (this.#lastSimulated !== undefined && isSame(asked, this.#lastSimulated.asked)) {
      this.#adopt(this.#lastSimulated.lanes, this.#lastSimulated.committee);
      this.#showEnd(hadContent);
    } else this.#simulate(asked, hadContent);
  }

  /** Sets the requested slot, and shows it in the controls. */
  #showChoice(asked: Asked | undefined): void {
    this.#asked = asked;
    // The recorded slot has no attacker; the slider shows the share that the text describes.
    const { validators, eve } = asked ?? { validators: sizes.atOnce, eve: 0.3 };
    this.find<HTMLInputElement>('#horn-eve').value = String(Math.round(eve * 100));
    this.#nameEve();
    this.find('#horn-size').textContent =
      validators === sizes.atOnce ? 'Simulate a million validators' : `Back to ${count(sizes.atOnce)} validators`;
  }

  /**
   * Goes to the end of the slot, which shows the votes that Eve excluded, unless the clock is already past the hold.
   */
  #showEnd(hadContent: boolean): void {
    const now = this.on.now();
    this.on.changed(hadContent ? { atUs: now > this.#holdUs ? now : this.endUs, plays: false } : undefined);
  }

  /** Simulates the requested slot. If the simulation fails, the controls return to the shown slot. */
  #simulate(asked: Asked, hadContent: boolean): void {
    const { validators, eve } = asked;
    this.busyWith = `${count(validators)} validators`;
    const scenario: SlotScenario = {
      ...this.#first,
      parameters: scaledHornParameters(validators, this.#first.parameters),
      attacks: eve === 0 ? [] : [{ name: 'griefing', share: eve }],
    };
    const maxNodes = eve === 0 ? validators : maxNodesWithEve;
    let lanes: readonly SlotLane[] = [];
    this.#say(`Running ${count(validators)} validators …`, true);
    this.#fields.isStale = true;
    this.on.redraw();
    this.#run = simulateSystems(scenario, maxNodes, {
      progress: (system, share) =>
        this.#say(`Running ${count(validators)} validators: ${systemNames[system]}, ${percent(share, 1)} …`, true),
      slots: (simulated) => {
        lanes = simulated;
        this.busyWith = undefined;
        this.#adopt(lanes, undefined);
        this.#showEnd(hadContent);
      },
      committee: (run) => {
        this.#run = undefined;
        if (validators === sizes.atOnce) this.#lastSimulated = { asked, lanes, committee: run };
        this.#adopt(lanes, run);
        this.on.redraw();
      },
      failed: (message) => {
        this.#run = undefined;
        this.busyWith = undefined;
        this.#fields.isStale = false;
        this.#showChoice(this.#shown);
        if (this.#content === undefined) {
          this.#adopt(this.#recorded.lanes, this.#recorded.committee);
          this.on.changed();
        } else this.on.redraw();
        this.#say(message);
      },
    });
  }

  /** Shows Horn's slot with other seeds. Simulating other seeds for a million validators would take too long. */
  #showSeeds(horn: SlotResult, isOver: boolean): void {
    const { scenario } = horn;
    const isCompared = isOver && scenario.attacks.length > 0 && this.#asked?.validators === sizes.atOnce;
    const requestOf = (seed: number): SlotRequest => ({ kind: 'lost votes', scenario: { ...scenario, seed } });
    this.#seeds.show(isCompared ? [{ name: '', own: lostToEve(horn), requestOf }] : [], scenario.seed);
  }

  /** Shows simulated or recorded slots. @param run run of the committee; undefined while it is simulated. */
  #adopt(lanes: readonly SlotLane[], run: CommitteeRun | undefined): void {
    this.#shown = this.#asked;
    const { committee: validators } = hornSizes(lanes[0]!.result.scenario.parameters);
    const committee = run && { ...run, validators };
    this.#fields.show([...lanes, committee ?? { title: handelTitle }]);
    if (this.#asked !== undefined) this.#say(eveWords(lanes, committee));
    this.find('#horn-slot').textContent = slotSizeWords(lanes, this.#first.parameters.validators);
    const of = (system: string) => lanes.find(({ result }) => result.scenario.system === system)!.result;
    showConclusion(this.find('#horn-conclusion'), hornConclusion(of('strawman'), of('horn')));
    this.find('#horn-committee').textContent = committeeRunWords(of('horn'), committee);
    this.#showSeeds(of('horn'), committee !== undefined);
    this.#content = this.#contentOf(lanes, committee);
  }

  #contentOf(lanes: readonly SlotLane[], committee: Parameters<typeof handelChapter>[0] | undefined): PlayerContent {
    const inReach = (us: number) => lanes.reduce((sum, { steps }) => sum + countsAt(steps, us)[2], 0);
    const max = Math.max(1, inReach(this.endUs));
    const curve = Array.from({ length: trackPoints + 1 }, (_, point): [number, number] => [
      point / trackPoints,
      inReach((point / trackPoints) * this.endUs) / max,
    ]);
    const unordered = [...threeChapters(lanes), ...(committee === undefined ? [] : [handelChapter(committee)])];
    const chapters = unordered
      .map((one) => (one.timeUs === this.#holdUs ? { ...one, text: `${one.text} Press play to continue.` } : one))
      .toSorted((a, b) => a.timeUs - b.timeUs);
    return {
      track: { spanUs: this.endUs, curve },
      chapters,
      marks: chapters.map(({ timeUs, title }) => ({ timeUs, label: title, kind: 'level' })),
      stepsUs: chapters.map(({ timeUs }) => timeUs),
      holdUs: this.#holdUs,
      maxSeconds,
    };
  }
}

export async function hornStage(section: HTMLElement, on: StageListener): Promise<Stage> {
  return new HornStage(await recordedSlots(), section, on);
}

/** Returns a strip that shows, per seed, the number of honest votes that attackers keep out of a slot's block. */
function slotSeeds(host: HTMLElement): SeedStrip<SlotRequest> {
  return new SeedStrip<SlotRequest>(
    host,
    { verb: 'Eve excludes', unit: 'votes', none: 'no block is proposed', more: 'loses more votes' },
    slotWorker,
  );
}
